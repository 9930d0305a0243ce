import {ENDING_SIGNALS, type CatchableSignal} from './exit-codes.ts';

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
