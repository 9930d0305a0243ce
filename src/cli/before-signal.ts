import {ENDING_SIGNALS, type CatchableSignal} from './exit-codes.ts';

/**
 * Has `clean` done before a signal ends the program, which then ends by it as if nobody had listened. What `ignored` names, which keys
 * send to all of the terminal, does nothing meanwhile. Returns what stops listening.
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
    // Who listens, too, has heard it.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  }

  ENDING_SIGNALS.forEach((signal) => process.on(signal, onSignal));
  return stop;
}
