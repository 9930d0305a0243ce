import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Place, Roots} from '../files/roots.ts';
import {accept, refuse, type Answer} from '../services.ts';
import {searchPathsOf, type ProgramLookup} from './system-shell.ts';
import {quoteCommand} from '../../text/shell-quote.ts';

/** A `terminal/create` that was checked, and what it comes to. */
export interface CheckedCommand {
  /** As it would be typed. */
  readonly line: string;
  /** The first is a path. */
  readonly argv: readonly [string, ...string[]];
  /** After links, inside the roots. */
  readonly cwd: string;
  /** Where to start it instead: a path that leads to exactly the folder that was checked. */
  readonly startIn?: string;
  readonly env: NodeJS.ProcessEnv;
  /** How much output is kept, in UTF-8 bytes. */
  readonly outputLimit: number;
}

/** A command that needs approval. */
export interface CommandOfAgent extends CheckedCommand {
  /** Which folder `cwd` was when it was checked. */
  readonly folder: CommandFolder;
  /** Where its program was looked up. */
  readonly lookup: ProgramLookup;
}

export interface CommandContext {
  readonly roots: Roots;
  /** What commands inherit. */
  readonly env: NodeJS.ProcessEnv;
}

/** What is kept of a command's output when the agent does not say, and at most, in bytes. */
const DEFAULT_OUTPUT_LIMIT = 1024 * 1024;
const MAX_OUTPUT_LIMIT = 10 * 1024 * 1024;

/** No pagers and no password prompts; and the variables describe this terminal, not the one acp-tui runs in. */
const NOT_INTERACTIVE = {PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', TERM: 'xterm-256color'};

/** Checks everything about a command that can be known before it runs ("Terminals", executing commands). */
export async function checkCommand(
  request: acp.CreateTerminalRequest,
  {roots, env}: CommandContext,
): Promise<Answer<CommandOfAgent>> {
  const variables = request.env ?? [];
  if (request.command === '') return refuse('invalidParams', 'The command is empty.');
  const texts = [
    request.command,
    ...(request.args ?? []),
    ...variables.flatMap((each) => [each.name, each.value]),
  ];
  if (texts.some((text) => text.includes('\0')))
    return refuse('invalidParams', 'The command or its environment contains a NUL byte.');
  const misnamed = variables.find(({name}) => name === '' || name.includes('='));
  if (misnamed) return refuse('invalidParams', `Invalid variable name: "${misnamed.name}"`);
  const folder = await commandFolder(request.cwd ?? roots.cwd, roots);
  if (!folder.ok) return folder;
  const cwd = folder.value.place.path;
  const environment: NodeJS.ProcessEnv = {...env, ...NOT_INTERACTIVE};
  for (const {name, value} of variables) environment[name] = value;
  const [name, ...args] = toArgv(request);
  const lookup = {cwd, path: environment.PATH};
  const program = await findProgram(name, lookup);
  if (!program.ok) return program;
  return accept({
    line: commandLine(request),
    argv: [program.value, ...args],
    cwd,
    folder: folder.value,
    lookup,
    env: environment,
    outputLimit: Math.min(request.outputByteLimit ?? DEFAULT_OUTPUT_LIMIT, MAX_OUTPUT_LIMIT),
  });
}

/** A folder inside the roots that a command is to run in. */
interface CommandFolder {
  readonly place: Place;
  /** Its path with its device and inode: another folder that takes its place is not the same. */
  readonly identity: string;
}

/** The folder that a path leads to. Refuses what is outside the roots, and what is no folder. */
export async function commandFolder(path: string, roots: Roots): Promise<Answer<CommandFolder>> {
  const place = await roots.confine(path);
  if (!place.ok) return place;
  const identity = await identityOf(place.value, place.value.path).catch(() => undefined);
  if (identity === undefined) return refuse('invalidParams', `No such folder: ${path}`);
  return accept({place: place.value, identity});
}

/** @param at where the folder is looked at; throws errors of the file system, and where it is none */
export async function identityOf({path}: Place, at: string): Promise<string> {
  const stats = await stat(at);
  if (!stats.isDirectory()) throw new Error(`no folder: ${path}`);
  return `${stats.dev}:${stats.ino} ${path}`;
}

/** Looks a program up as `execvp` does. */
async function findProgram(name: string, lookup: ProgramLookup): Promise<Answer<string>> {
  let forbidden = false;
  for (const file of searchPathsOf(name, lookup)) {
    const isFile = await stat(file).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isFile && (await isExecutable(file))) return accept(file);
    forbidden ||= isFile;
  }
  return forbidden
    ? refuse('invalidParams', `The command is not executable: ${name}`)
    : refuse('notFound', `No such command: ${name}`);
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

interface Command {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
}

const SHELL_SYNTAX = /[\s|&;<>()$`\\"'*?[\]{}#~=!]/;

/** Returns the argv to execute: without `args`, a command with whitespace or shell syntax runs in a shell ("Terminals"). */
export function toArgv({command, args}: Command): readonly [string, ...string[]] {
  return isShellLine({command, args}) ? ['/bin/sh', '-c', command] : [command, ...(args ?? [])];
}

/** The command as it would be typed. */
export function commandLine({command, args}: Command): string {
  return isShellLine({command, args}) ? command : quoteCommand(command, args ?? []);
}

/** True if it is a line for the shell, and not a program with its arguments. */
export function isShellLine({command, args}: Command): boolean {
  return (args ?? []).length === 0 && SHELL_SYNTAX.test(command);
}
