import {resolve} from 'node:path';
import type {Plugin} from 'esbuild';

const STAND_IN = resolve('scripts/stand-ins/string-width.ts');
/** What falls back on the package itself. */
const OURS = new Set([STAND_IN, resolve('src/text/width.ts')]);

/** Lets every package in the bundle measure text as we do. */
export const quickWidth: Plugin = {
  name: 'quick-width',
  setup(build) {
    build.onResolve({filter: /^string-width$/}, ({importer}) =>
      OURS.has(importer) ? undefined : {path: STAND_IN},
    );
  },
};
