import type {Log} from './transport.ts';

/** Remembers what an agent prints that is no message: a program that prints only such lines is no ACP agent. */
export interface StrayOutput {
  readonly noise: (line: string) => void;
  /** A message came: from now on the agent is one. */
  readonly message: () => void;
  /** The first such line, as long as no message has come. */
  readonly sample: () => string | undefined;
}

export function createStrayOutput(log: Log): StrayOutput {
  let first: string | undefined;
  let isAgent = false;
  return {
    noise(line) {
      first ??= line;
      log('info', `the agent printed what is no message: ${line.slice(0, 1000)}`);
    },
    message() {
      isAgent = true;
    },
    sample: () => (isAgent ? undefined : first),
  };
}
