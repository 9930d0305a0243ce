import {rmSync} from 'node:fs';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join, basename} from 'node:path';
import {isFolder} from '../../shared/files/folders.ts';

/** Shell state that persists between two commands. */
export interface ShellState {
  /** Absolute. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Functions and aliases in the shell's syntax; empty if there are none. */
  readonly definitions: string;
}

/** Variables that are specific to one process, and those that identify a process tree. */
const OF_A_PROCESS = /^(?:_|SHLVL|PWD|ACP_TUI_TREE_\w+)$/;

/** The files of one command in the folder. */
interface Slot {
  readonly save: string;
  readonly restore: string;
  /** The state after the command; undefined if it saved none, because it was killed or replaced the shell. */
  read(before: ShellState): Promise<ShellState | undefined>;
}

/** A private folder in which commands save state for the next ones. */
export interface ShellFolder {
  slot(state: ShellState): Promise<Slot>;
  /** Synchronous: it must also be removed on exits that cannot wait. */
  remove(): void;
}

/** Files exist in it only while a command exits, because variables may contain secrets. */
export async function makeShellFolder(parent: string): Promise<ShellFolder> {
  const folder = await mkdtemp(join(parent, 'acp-tui-shell-'));
  let count = 0;
  return {
    async slot({definitions}) {
      const save = join(folder, String(++count));
      const restore = `${save}.restore`;
      if (definitions !== '') await writeFile(restore, definitions, {mode: 0o600});
      return {save, restore, read: (before) => readSaved(save, restore, before)};
    },
    remove: () => rmSync(folder, {recursive: true, force: true}),
  };
}

async function readSaved(save: string, restore: string, before: ShellState): Promise<ShellState | undefined> {
  const [cwd, env, definitions] = await Promise.all(
    [SAVED.cwd, SAVED.env, SAVED.definitions].map((ending) => takeFile(save + ending)),
  );
  await rm(restore, {force: true});
  if (!cwd) return undefined;
  return {
    cwd: cwd.replace(/\n$/, ''),
    env: env ? variablesIn(env) : before.env,
    definitions: definitions ?? before.definitions,
  };
}

async function takeFile(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  await rm(path, {force: true});
  return text;
}

function variablesIn(text: string): NodeJS.ProcessEnv {
  const pairs = text.split('\0').flatMap((variable) => {
    const at = variable.indexOf('=');
    const name = variable.slice(0, at);
    return at <= 0 || OF_A_PROCESS.test(name) ? [] : [[name, variable.slice(at + 1)] as const];
  });
  return Object.fromEntries(pairs);
}

/** Merges the changes of one command into the newest state: commands may overlap, and one that ends late must not undo the changes of others. */
export function withChanges(now: ShellState, before: ShellState, after: ShellState): ShellState {
  const env = {...now.env};
  for (const name of new Set([...Object.keys(before.env), ...Object.keys(after.env)])) {
    if (OF_A_PROCESS.test(name) || before.env[name] === after.env[name]) continue;
    if (after.env[name] === undefined) delete env[name];
    else env[name] = after.env[name];
  }
  return {
    cwd: after.cwd === before.cwd ? now.cwd : after.cwd,
    env,
    definitions: after.definitions === before.definitions ? now.definitions : after.definitions,
  };
}

/** The folder, or its nearest ancestor that still exists. */
export async function existingFolder(path: string): Promise<string> {
  return dirname(path) === path || (await isFolder(path)) ? path : existingFolder(dirname(path));
}

/** The script that makes a shell run one command and save its state for the next one. */
interface Dialect {
  /** Run with `-c`; its arguments, after the shell's name, are the command, the prefix of the files to save to, and the file to restore from. */
  readonly script: string;
}

/** Suffixes of the files in which a command saves its state. */
const SAVED = {cwd: '.cwd', env: '.env', definitions: '.definitions'} as const;

/*
 * Folder and variables are saved whenever the shell exits, also by `exit`. This must not change the command's exit status, print anything, or run before the
 * command is parsed (aliases).
 */
const SAVE_PLACE = `pwd >"$__acp_tui_save${SAVED.cwd}"; /usr/bin/env -0 >"$__acp_tui_save${SAVED.env}"`;

const TAKE_ARGUMENTS = '__acp_tui_command=$1; __acp_tui_save=$2; __acp_tui_restore=$3; set --';

function withDefinitions({before, list}: {readonly before: string; readonly list: string}): string {
  return [
    before,
    TAKE_ARGUMENTS,
    'if [ -r "$__acp_tui_restore" ]; then . "$__acp_tui_restore"; fi 2>/dev/null',
    `trap '{ ${SAVE_PLACE}; { ${list}; } >"$__acp_tui_save${SAVED.definitions}"; } 2>/dev/null' EXIT`,
    'eval "$__acp_tui_command"',
  ].join('\n');
}

const posix: Dialect = {
  script: [TAKE_ARGUMENTS, `trap '{ ${SAVE_PLACE}; } 2>/dev/null' EXIT`, 'eval "$__acp_tui_command"'].join(
    '\n',
  ),
};

const fish: Dialect = {
  script: [
    // fish has no $0: its first argument is what others call $0.
    'set -g __acp_tui_save $argv[3]',
    'function __acp_tui_exit --on-event fish_exit',
    `pwd >"$__acp_tui_save${SAVED.cwd}" 2>/dev/null; /usr/bin/env -0 >"$__acp_tui_save${SAVED.env}" 2>/dev/null`,
    'end',
    'eval $argv[2]',
  ].join('\n'),
};

const dialects: Readonly<Record<string, Dialect>> = {
  bash: {script: withDefinitions({before: 'shopt -s expand_aliases', list: 'alias -p; declare -f'})},
  zsh: {script: withDefinitions({before: ':', list: 'alias -L; functions'})},
  sh: posix,
  dash: posix,
  ash: posix,
  ksh: posix,
  fish,
};

/** Returns the user's shell if it is supported, otherwise `/bin/sh`. */
export function shellOf(env: NodeJS.ProcessEnv): {readonly path: string; readonly dialect: Dialect} {
  const path = env['SHELL'] ?? '';
  const dialect = path.startsWith('/') ? dialects[basename(path)] : undefined;
  return dialect ? {path, dialect} : {path: '/bin/sh', dialect: posix};
}
