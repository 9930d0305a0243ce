import {constants} from 'node:os';

/** Signals that end a program by default and can be caught. SIGPROF is left to V8's sampling profiler. */
const CATCHABLE = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGTRAP',
  'SIGABRT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGTERM',
  'SIGXCPU',
  'SIGVTALRM',
  'SIGIO',
  'SIGPWR',
  'SIGSYS',
] as const;
export type CatchableSignal = (typeof CATCHABLE)[number];

/** Those that exist on this system. */
export const ENDING_SIGNALS: readonly CatchableSignal[] = CATCHABLE.filter(
  (name) => name in constants.signals,
);

/**
 * Runs `clean` before a signal ends the program, which then exits by that signal as usual. Signals in `ignored`, which keys send to every process of the
 * terminal, have no effect meanwhile. Returns a function that stops listening.
 */
export function beforeSignal(
  clean: () => void | Promise<void>,
  ignored: readonly CatchableSignal[] = [],
): () => void {
  const stop = () => ENDING_SIGNALS.forEach((signal) => process.off(signal, onSignal));
  const onSignal = (signal: CatchableSignal) => {
    if (!ignored.includes(signal)) void end(signal);
  };

  async function end(signal: CatchableSignal): Promise<void> {
    await clean();
    stop();
    // Other listeners have handled the signal already.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  }

  ENDING_SIGNALS.forEach((signal) => process.on(signal, onSignal));
  return stop;
}
