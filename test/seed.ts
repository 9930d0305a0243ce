import * as fc from 'fast-check';

/**
 * Properties try the same examples in every run, so that a red run can be repeated and a green one means the same everywhere.
 * `PROPERTY_SEED=random npm run test:unit`, or a number, looks for others.
 */
const seed = process.env['PROPERTY_SEED'];
if (seed !== 'random') fc.configureGlobal({seed: Number(seed ?? 1)});
