import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {isAbsolute, join} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {accept, refuse} from './answers.ts';
import {commandLine, toArgv} from './command-line.ts';
import type {Roots} from './roots.ts';
import type {Answer} from './services.ts';

/** A `terminal/create` that was checked, and what it comes to. */
export interface CheckedCommand {
  /** As it would be typed. */
  readonly line: string;
  /** The first is a path. */
  readonly argv: readonly [string, ...string[]];
  /** After links, inside the roots. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** How much output is kept, in UTF-8 bytes. */
  readonly outputLimit: number;
}

export interface CommandContext {
  readonly roots: Roots;
  /** What commands inherit. */
  readonly env: NodeJS.ProcessEnv;
}

/** What is kept of a command's output when the agent does not say, and at most, in bytes. */
export const DEFAULT_OUTPUT_LIMIT = 1024 * 1024;
export const LARGEST_OUTPUT_LIMIT = 10 * 1024 * 1024;

/** Nobody is there to turn pages or to type a password; and the terminal is ours, not the one that this client runs in. */
const NOT_INTERACTIVE = {PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', TERM: 'xterm-256color'};

/** Checks everything about a command that can be known before it runs ("Terminals", executing commands). */
export async function checkCommand(
  request: acp.CreateTerminalRequest,
  {roots, env}: CommandContext,
): Promise<Answer<CheckedCommand>> {
  const variables = request.env ?? [];
  if (request.command === '') return refuse('invalidParams', 'The command is empty.');
  const texts = [
    request.command,
    ...(request.args ?? []),
    ...variables.flatMap((each) => [each.name, each.value]),
  ];
  if (texts.some((text) => text.includes('\0')))
    return refuse('invalidParams', 'The command or its environment holds a NUL byte.');
  const misnamed = variables.find(({name}) => name === '' || name.includes('='));
  if (misnamed) return refuse('invalidParams', `This cannot be the name of a variable: "${misnamed.name}"`);
  const cwd = await checkFolder(request.cwd ?? roots.cwd, roots);
  if (!cwd.ok) return cwd;
  const environment: NodeJS.ProcessEnv = {...env, ...NOT_INTERACTIVE};
  for (const {name, value} of variables) environment[name] = value;
  const [name, ...args] = toArgv(request);
  const program = await findProgram(name, {cwd: cwd.value, path: environment.PATH});
  if (!program.ok) return program;
  return accept({
    line: commandLine(request),
    argv: [program.value, ...args],
    cwd: cwd.value,
    env: environment,
    outputLimit: Math.min(request.outputByteLimit ?? DEFAULT_OUTPUT_LIMIT, LARGEST_OUTPUT_LIMIT),
  });
}

async function checkFolder(path: string, roots: Roots): Promise<Answer<string>> {
  const place = await roots.confine(path);
  if (!place.ok) return place;
  const isFolder = await stat(place.value.path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) return refuse('invalidParams', `There is no such folder to run a command in: ${path}`);
  return accept(place.value.path);
}

/** Looks a program up as `execvp` does. */
async function findProgram(
  name: string,
  {cwd, path}: {readonly cwd: string; readonly path: string | undefined},
): Promise<Answer<string>> {
  const folders = name.includes('/') ? [''] : (path ?? '/usr/local/bin:/usr/bin:/bin').split(':');
  let forbidden = false;
  for (const folder of folders) {
    const relative = join(folder, name);
    const file = isAbsolute(relative) ? relative : join(cwd, relative);
    const isFile = await stat(file).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isFile && (await isExecutable(file))) return accept(file);
    forbidden ||= isFile;
  }
  return forbidden
    ? refuse('invalidParams', `The command is not executable: ${name}`)
    : refuse('notFound', `There is no such command: ${name}`);
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
