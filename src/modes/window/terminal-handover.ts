import type {ForegroundProgram, RunningForeground} from '../../agents/foreground.ts';
import type {Foreground} from '../../conversation/options.ts';
import type {ProcessExit, Result} from '../../shared/failure.ts';
import type {ExitSignals} from '../start/shutdown.ts';
import type {Screen} from '../../../components/start.tsx';

/** Lends the window's terminal to one program at a time. */
interface TerminalHandover {
  readonly lend: Foreground;
  /** Ends the program that uses the terminal; its `lend` then resolves. */
  readonly end: () => Promise<void>;
  readonly killNow: () => void;
}

export function createTerminalHandover(
  screen: Pick<Screen, 'lend'>,
  {withoutInterrupts}: ExitSignals,
): TerminalHandover {
  let running: RunningForeground | undefined;

  async function run(program: ForegroundProgram): Promise<Result<ProcessExit>> {
    const {runInForeground} = await import('../../agents/foreground.ts');
    running = runInForeground(program);
    return running.ended.finally(() => (running = undefined));
  }

  return {
    lend: ({heading, isEditor = false, ...program}) =>
      withoutInterrupts(async () => {
        let result: Result<ProcessExit> | undefined;
        await screen.lend({text: heading, isTransient: isEditor}, async () => {
          result = await run(program);
          return result.ok && wasCutOff(result.value) ? 'cut_off' : 'ended';
        });
        return result ?? inUse;
      }),
    async end() {
      await running?.end();
    },
    killNow: () => running?.killNow(),
  };
}

const inUse: Result<never> = {
  ok: false,
  failure: {
    kind: 'not_offered',
    what: 'the terminal',
    why: 'it is in use; close that, then try again',
  },
};

/** A killed program leaves its terminal modes set; a shell reports its command's signal by the exit code. */
function wasCutOff({code, signal}: ProcessExit): boolean {
  return signal !== null || (code ?? 0) > 128;
}
