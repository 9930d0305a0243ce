import {stat} from 'node:fs/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {RootedPath, Roots} from '../files/roots.ts';
import {accept, refuse, type HostResponse} from '../services.ts';
import {findExecutable, searchPathsOf, type ProgramLookup} from './system-shell.ts';
import {statIfAny} from '../../shared/files/safe-files.ts';
import {quoteCommand} from '../../text/shell-quote.ts';

/** A validated `terminal/create`. */
export interface CheckedCommand {
  /** As one line for display. */
  readonly line: string;
  /** The first is a path. */
  readonly argv: readonly [string, ...string[]];
  /** Resolved, inside the roots. */
  readonly cwd: string;
  /** Where to start it instead: a path to exactly the folder that was checked. */
  readonly startIn?: string;
  readonly env: NodeJS.ProcessEnv;
  /** Maximum size of kept output, in UTF-8 bytes. */
  readonly outputLimit: number;
}

/** A command that needs approval. */
export interface CommandToApprove extends CheckedCommand {
  /** What runs: a line for the shell, or the words of a program as the agent names it. */
  readonly command: string | readonly string[];
  /** The identity of `cwd` when it was checked. */
  readonly folder: CommandFolder;
  /** Where its program was looked up. */
  readonly lookup: ProgramLookup;
}

export interface CommandContext {
  readonly roots: Roots;
  /** The environment that commands inherit. */
  readonly env: NodeJS.ProcessEnv;
}

/** Size of kept output by default, and at most, in bytes. */
const DEFAULT_OUTPUT_LIMIT = 1024 * 1024;
const MAX_OUTPUT_LIMIT = 10 * 1024 * 1024;

/** No pagers and no password prompts; and the variables describe this terminal, not the one acp-tui runs in. */
const NOT_INTERACTIVE = {PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', TERM: 'xterm-256color'};

/** Checks everything about a command that is known before it runs ("Terminals", executing commands). */
export async function checkCommand(
  request: acp.CreateTerminalRequest,
  {roots, env}: CommandContext,
): Promise<HostResponse<CommandToApprove>> {
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
  const lookup = {cwd, path: environment.PATH};
  const isFile = request.command.includes('/') && findExecutable(request.command, lookup) !== undefined;
  const command = {...request, isFile};
  const [name, ...args] = toArgv(command);
  const program = findProgram(name, lookup);
  if (!program.ok) return program;
  return accept({
    line: commandLine(command),
    command: isShellLine(command) ? command.command : [command.command, ...(command.args ?? [])],
    argv: [program.value, ...args],
    cwd,
    folder: folder.value,
    lookup,
    env: environment,
    outputLimit: Math.min(request.outputByteLimit ?? DEFAULT_OUTPUT_LIMIT, MAX_OUTPUT_LIMIT),
  });
}

/** A folder inside the roots in which a command runs. */
export interface CommandFolder {
  readonly place: RootedPath;
  /** Path, device and inode: distinguishes it from another folder that takes its place. */
  readonly identity: string;
}

/** Returns the folder of a path. Refuses paths outside the roots, and those that are not a folder. */
export async function commandFolder(path: string, roots: Roots): Promise<HostResponse<CommandFolder>> {
  const place = await roots.confine(path);
  if (!place.ok) return place;
  const identity = await identityOf(place.value, place.value.path).catch(() => undefined);
  if (identity === undefined) return refuse('invalidParams', `No such folder: ${path}`);
  return accept({place: place.value, identity});
}

/**
 * Returns the identity of a folder.
 * @param at the path to stat; throws errors of the file system, also if it is not a folder
 */
export async function identityOf({path}: RootedPath, at: string): Promise<string> {
  const stats = await stat(at);
  if (!stats.isDirectory()) throw new Error(`no folder: ${path}`);
  return `${stats.dev}:${stats.ino} ${path}`;
}

/** Looks up a program as `execvp` does. */
function findProgram(name: string, lookup: ProgramLookup): HostResponse<string> {
  const file = findExecutable(name, lookup);
  if (file !== undefined) return accept(file);
  return searchPathsOf(name, lookup).some((each) => statIfAny(each)?.isFile())
    ? refuse('invalidParams', `The command is not executable: ${name}`)
    : refuse('notFound', `No such command: ${name}`);
}

interface Command {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** True if there is an executable file with this whole text as its path. */
  readonly isFile?: boolean | undefined;
}

const SHELL_SYNTAX = /[\s|&;<>()$`\\"'*?[\]{}#~=!]/;

/** Returns the argv to execute: without `args`, a command with whitespace or shell syntax runs in a shell ("Terminals"), unless it is a file's path. */
export function toArgv(given: Command): readonly [string, ...string[]] {
  const {command, args = []} = given;
  return isShellLine(given) ? ['/bin/sh', '-c', command] : [command, ...args];
}

/** Returns the command as one line for display. */
export function commandLine(given: Command): string {
  const {command, args = []} = given;
  return isShellLine(given) ? command : quoteCommand(command, args);
}

/** True if it is a line for the shell, not a program with arguments. */
export function isShellLine({command, args, isFile = false}: Command): boolean {
  return (args ?? []).length === 0 && !isFile && SHELL_SYNTAX.test(command);
}
