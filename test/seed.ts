import * as fc from 'fast-check';

/**
 * Properties use the same examples in every run, so that a failure can be reproduced and a pass means the same everywhere.
 * `PROPERTY_SEED=random npm run test:unit`, or a number, uses others.
 */
const seed = process.env['PROPERTY_SEED'];
if (seed !== 'random') fc.configureGlobal({seed: Number(seed ?? 1)});
