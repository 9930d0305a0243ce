import type {Log} from '../transport.ts';
import {isFields, type Deviation} from './deviation.ts';

/** Applies deviations to a value; one that is no object, or needs no mending, comes back as it is. */
export type Mender = (value: unknown, deviations: readonly Deviation[] | undefined) => unknown;

/** One for each connection: each deviation is logged once. */
export function createMender(log: Log): Mender {
  const reported = new Set<string>();
  return (value, deviations) =>
    mendWith(value, deviations, (name) => {
      if (reported.has(name)) return;
      reported.add(name);
      log('info', `the agent deviates from the protocol, which is mended: ${name}`);
    });
}

/** Applies deviations, and tells the name of each that there was something to mend for. */
export function mendWith(
  value: unknown,
  deviations: readonly Deviation[] | undefined,
  mended: (name: string) => void,
): unknown {
  if (deviations === undefined || !isFields(value)) return value;
  let fields = value;
  for (const {name, mend} of deviations) {
    const after = mend(fields);
    if (after !== fields) mended(name);
    fields = after;
  }
  return fields;
}
