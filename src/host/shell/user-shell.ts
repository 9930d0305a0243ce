import {tmpdir} from 'node:os';
import {setTimeout as delay} from 'node:timers/promises';
import {refuse, type HostResponse, type UserShell} from '../services.ts';
import type {Terminals} from '../terminals/terminals.ts';
import {
  shellOf,
  existingFolder,
  makeShellFolder,
  withChanges,
  type ShellFolder,
  type ShellState,
} from './shell-memory.ts';

interface UserShellOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly terminals: Terminals;
}

/** A card can't page; and the variables describe this terminal, not the one acp-tui runs in. */
const IN_A_CARD = {PAGER: 'cat', GIT_PAGER: 'cat', TERM: 'xterm-256color'};

/** Maximum time that a command waits for one started just before it, in milliseconds. */
const SHORT_MS = 1000;

/** The window keeps the output it shows; no agent reads it here. */
const OUTPUT_LIMIT = 1024;

interface RunningCommand {
  /** In milliseconds. */
  readonly startedAt: number;
  hasExited: boolean;
}

export function createUserShell({cwd, env, terminals}: UserShellOptions): UserShell {
  const {path, dialect} = shellOf(env);
  let state: ShellState = {cwd, env: {...env, ...IN_A_CARD}, definitions: ''};
  let folder: ShellFolder | undefined;
  let isClosed = false;
  /** Resolves when the previously typed command has started: commands start in the order in which they were typed. */
  let starting: Promise<unknown> = Promise.resolve();
  /** Commands whose state is not read yet. */
  const running = new Map<Promise<void>, RunningCommand>();

  async function start(line: string): Promise<HostResponse<void>> {
    folder ??= await makeShellFolder(env['TMPDIR'] || tmpdir());
    const before = {...state, cwd: await existingFolder(state.cwd)};
    const slot = await folder.slot(before);
    // Nothing would end it.
    if (isClosed) {
      folder.remove();
      return refuse('cancelled', 'The session ended.');
    }
    const started = await terminals.start({
      line,
      argv: [path, '-c', dialect.script, path, line, slot.save, slot.restore],
      cwd: before.cwd,
      env: before.env,
      outputLimit: OUTPUT_LIMIT,
    });
    if (!started.ok) return started;
    const command = {startedAt: performance.now(), hasExited: false};
    const exited = terminals.waitForExit(started.value.terminalId, new AbortController().signal);
    const ended = exited.then(async () => {
      command.hasExited = true;
      const after = await slot.read(before);
      if (after) state = withChanges(state, before, after);
    });
    running.set(ended, command);
    void ended.then(() => running.delete(ended));
    return {ok: true, value: undefined};
  }

  return {
    run(command) {
      const started = starting.then(async () => {
        await afterShortOnes(running);
        // Its folder may not be creatable.
        return start(command).catch((error: unknown) => refuse('internal', String(error)));
      });
      starting = started;
      return started;
    },
    interrupt: (terminalId) => terminals.interrupt(terminalId),
    terminals,
    async close() {
      isClosed = true;
      await terminals.closeAll();
      await starting;
      await Promise.all(running.keys());
      folder?.remove();
    },
    killNow() {
      terminals.killAllNow();
      folder?.remove();
    },
  };
}

/** A command typed right after `cd` must run in the new folder. */
async function afterShortOnes(running: ReadonlyMap<Promise<void>, RunningCommand>): Promise<void> {
  const waits = [...running].map(async ([ended, command]) => {
    await Promise.race([ended, delay(Math.max(0, command.startedAt + SHORT_MS - performance.now()))]);
    if (command.hasExited) await ended;
  });
  await Promise.all(waits);
}
