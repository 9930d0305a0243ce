import {rmSync} from 'node:fs';
import {mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {SAVED} from './dialects.ts';

/** What a shell keeps between two commands. */
export interface ShellState {
  /** Absolute. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Functions and aliases, in the shell's own language; empty where there are none. */
  readonly definitions: string;
}

/** Variables that belong to one process, and those by which we find what a command started. */
const OF_A_PROCESS = /^(?:_|SHLVL|PWD|ACP_TUI_TREE_\w+)$/;

/** One command's own place in the folder, named in what it is told. */
export interface Slot {
  readonly save: string;
  readonly restore: string;
  /** What the command changed; undefined where it left nothing, because it was killed or replaced the shell. */
  read(before: ShellState): Promise<ShellState | undefined>;
}

/** A private folder in which commands leave what the next ones need. */
export interface ShellFolder {
  slot(state: ShellState): Promise<Slot>;
  /** Synchronous: it has to go also where nothing can be waited for. */
  remove(): void;
}

/** Files in it are only there while a command ends: what stands in variables may be secret. */
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
    [SAVED.cwd, SAVED.env, SAVED.definitions].map((ending) => taken(save + ending)),
  );
  await rm(restore, {force: true});
  if (!cwd) return undefined;
  return {
    cwd: cwd.replace(/\n$/, ''),
    env: env ? variablesIn(env) : before.env,
    definitions: definitions ?? before.definitions,
  };
}

async function taken(path: string): Promise<string | undefined> {
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

/**
 * The newest state with what one command changed: commands may run side by side, and one that ends late must not take back
 * what others did meanwhile.
 */
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

/** The folder, or the nearest one above it that is still there. */
export async function existingFolder(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder || dirname(path) === path ? path : existingFolder(dirname(path));
}
