import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Plugin} from 'rolldown';

/**
 * What marked-terminal imports for code, tables and emoji, all of which src/text draws itself (1.5 MB), what conf imports for schemas,
 * which it does not use, and what the MCP client would validate results with, which is up to the agent.
 */
const UNUSED =
  /^(?:cli-highlight|cli-table3|node-emoji|ajv\/dist\/2020\.js|ajv-formats|@modelcontextprotocol\/client\/_shims)$/;
/** Replaces those packages. If called anyway, they fail like anything undefined. */
const NOTHING = `
  export default undefined;
  export const highlight = undefined, get = undefined, Ajv2020 = undefined, CORS_IS_POSSIBLE = false;
  export class DefaultJsonSchemaValidator {}
`;
const NOTHING_ID = '\0unused';

/** Modules of Node that take milliseconds to load, with what the bundle uses of them; each loads its module when it is used. */
const LATE = {
  'node:child_process': ['ChildProcess', 'execFile', 'execFileSync', 'spawn', 'spawnSync'],
  'node:crypto': ['createHash', 'randomBytes', 'randomInt', 'randomUUID', 'timingSafeEqual'],
  'node:fs/promises': [
    'access',
    'chmod',
    'constants',
    'copyFile',
    'link',
    'lstat',
    'mkdir',
    'mkdtemp',
    'open',
    'readFile',
    'readdir',
    'readlink',
    'realpath',
    'rename',
    'rm',
    'rmdir',
    'stat',
    'symlink',
    'unlink',
    'utimes',
    'writeFile',
  ],
  'node:readline': ['createInterface'],
  'node:readline/promises': ['createInterface'],
  'node:zlib': ['brotliDecompressSync', 'createGunzip'],
};

/** Files of packages that are changed, by the end of their path. */
const CHANGED: Readonly<Record<string, (source: string) => string>> = {
  'signal-exit/index.js': withoutAssert,
  'yoga-wasm-base64-esm.js': withFastDecoding,
  'node_modules/string-width/index.js': withLazyEmoji,
};

const WIDTH = resolve('scripts/stand-ins/string-width.ts');
/** Modules that import the original package. */
const OURS = new Set([WIDTH, resolve('src/text/width.ts')]);

/** Modules of packages that the bundle replaces with something smaller or faster. */
export const replacements: Plugin = {
  name: 'replacements',
  resolveId: {
    order: 'pre',
    handler(source, importer) {
      if (UNUSED.test(source)) return NOTHING_ID;
      if (source in LATE) return `\0${source}`;
      // Lets every package in the bundle measure text as acp-tui does.
      if (source === 'string-width' && !OURS.has(importer ?? '')) return WIDTH;
      return undefined;
    },
  },
  load(id) {
    if (id === NOTHING_ID) return NOTHING;
    for (const [name, members] of Object.entries(LATE))
      if (id === `\0${name}`) return loadedLate(name, members);
    const [, change] = Object.entries(CHANGED).find(([file]) => id.endsWith(file)) ?? [];
    return change?.(readFileSync(id, 'utf8'));
  },
};

function loadedLate(name: string, members: readonly string[]): string {
  return `
    const load = () => process.getBuiltinModule('${name}');
    const late = (name) => new Proxy(function () {}, {
      apply: (_, self, all) => load()[name](...all),
      construct: (_, all) => new (load()[name])(...all),
      get: (_, member) => load()[name][member],
    });
    export default new Proxy({}, {get: (_, member) => load()[member]});
    ${members.map((each) => `export const ${each} = late('${each}');`).join('\n')}
  `;
}

const EMOJI = '/^\\p{RGI_Emoji}$/v';

/** Defers the one regular expression of string-width that takes 14 ms to compile and is rarely needed. */
function withLazyEmoji(source: string): string {
  return replaceOnce(
    source,
    EMOJI,
    `{test(text) { return (this.made ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text); }}`,
  );
}

/**
 * Has Yoga decode the WebAssembly in its source by Buffer, a hundred times faster than byte by byte, and not by `fetch`, which would load all of Node's HTTP client
 * before the first paint.
 */
function withFastDecoding(source: string): string {
  const slow =
    'var b=xa(a.slice(37)),c=new Uint8Array(b.length);for(a=0;a<b.length;++a)c[a]=b.charCodeAt(a);var d=c';
  return `const fetch = undefined;${replaceOnce(source, slow, "var d=Buffer.from(a.slice(37),'base64')")}`;
}

/** Drops the check of an argument for which signal-exit loads Node's `assert`. */
function withoutAssert(source: string): string {
  return replaceOnce(source, "require('assert')", '{equal() {}}');
}

/** Throws if a package has changed, so that the text is not there exactly once. */
function replaceOnce(source: string, text: string, replacement: string): string {
  if (source.split(text).length !== 2)
    throw new Error(`not exactly once in a package: ${text}\nCorrect scripts/replacements.ts.`);
  return source.replace(text, () => replacement);
}
