import * as fc from 'fast-check';

/**
 * Properties use the same few examples in every run, so that a failure can be reproduced and a pass means the same everywhere.
 * `PROPERTY_SEED=random npm run test:unit`, or a number, uses others; `npm run fuzz` tries many more, as far as the time suffices.
 */
const seed = process.env['PROPERTY_SEED'];
const runs = process.env['PROPERTY_RUNS'];
fc.configureGlobal({
  ...(seed !== 'random' && {seed: Number(seed ?? 1)}),
  ...(runs !== undefined && {numRuns: Number(runs), interruptAfterTimeLimit: 20_000}),
});
