import {tmpdir} from 'node:os';
import {setTimeout as delay} from 'node:timers/promises';
import {refuse, type Answer, type UserShell} from '../services.ts';
import type {Terminals} from '../terminals/terminals.ts';
import {
  shellOf,
  existingFolder,
  makeShellFolder,
  withChanges,
  type ShellFolder,
  type ShellState,
  type Slot,
} from './shell-memory.ts';

interface UserShellOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly terminals: Terminals;
}

/** Cards cannot page; and the variables describe this terminal, not the one acp-tui runs in. */
const IN_A_CARD = {PAGER: 'cat', GIT_PAGER: 'cat', TERM: 'xterm-256color'};

/** The next command waits so long at most for the end of one that was started just before it, in milliseconds. */
const SHORT_MS = 1000;

/** The window keeps what is shown; what an agent could ask for is not needed. */
const OUTPUT_LIMIT = 1024;

export function createUserShell({cwd, env, terminals}: UserShellOptions): UserShell {
  const {path, dialect} = shellOf(env);
  let state: ShellState = {cwd, env: {...env, ...IN_A_CARD}, definitions: ''};
  let folder: ShellFolder | undefined;
  /** Settled when the command that was typed last has begun: they begin in the order in which they were typed. */
  let starting: Promise<unknown> = Promise.resolve();
  /** Commands that run, with the time of their start. */
  const running = new Map<Promise<void>, number>();

  async function start(command: string): Promise<Answer<void>> {
    folder ??= await makeShellFolder(env['TMPDIR'] ?? tmpdir());
    const before = {...state, cwd: await existingFolder(state.cwd)};
    const slot = await folder.slot(before);
    const started = await terminals.start({
      line: command,
      argv: [path, '-c', dialect.script, path, command, slot.save, slot.restore],
      cwd: before.cwd,
      env: before.env,
      outputLimit: OUTPUT_LIMIT,
    });
    if (!started.ok) return started;
    const ended = takeIn(started.value.terminalId, slot, before);
    running.set(ended, performance.now());
    void ended.then(() => running.delete(ended));
    return {ok: true, value: undefined};
  }

  async function takeIn(terminalId: string, slot: Slot, before: ShellState): Promise<void> {
    await terminals.waitForExit(terminalId, new AbortController().signal);
    const after = await slot.read(before);
    if (after) state = withChanges(state, before, after);
  }

  /** What is typed right behind `cd` is to run there. */
  async function afterShortOnes(): Promise<void> {
    const waits = [...running].map(([ended, startedAt]) =>
      Promise.race([ended, delay(Math.max(0, startedAt + SHORT_MS - performance.now()))]),
    );
    await Promise.all(waits);
  }

  return {
    run(command) {
      const started = starting.then(async () => {
        await afterShortOnes();
        // Its folder may not be there to be made.
        return start(command).catch((error: unknown) => refuse('internal', String(error)));
      });
      starting = started;
      return started;
    },
    interrupt: (terminalId) => terminals.interrupt(terminalId),
    terminals,
    async close() {
      await terminals.closeAll();
      await Promise.all(running.keys());
      folder?.remove();
    },
    killNow() {
      terminals.killAllNow();
      folder?.remove();
    },
  };
}
