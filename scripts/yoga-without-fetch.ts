import {readFileSync} from 'node:fs';
import type {Plugin} from 'esbuild';

/** Lets Yoga decode the WebAssembly in its source by itself: it would `fetch` it, and so load all of Node's HTTP client before the first paint. */
export const yogaWithoutFetch: Plugin = {
  name: 'yoga-without-fetch',
  setup(build) {
    build.onLoad({filter: /yoga-wasm-base64-esm\.js$/}, ({path}) => ({
      contents: `const fetch = undefined;${readFileSync(path, 'utf8')}`,
    }));
  },
};
