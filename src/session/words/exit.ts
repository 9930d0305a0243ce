import type {ProcessExit} from '../../shared/failure.ts';

/** How a command ended; undefined when it ended well. */
export function exitWords({code, signal}: ProcessExit): string | undefined {
  if (code === 0 && signal === null) return undefined;
  return signal === null ? `exit code ${code ?? 'unknown'}` : `ended by ${signal}`;
}
