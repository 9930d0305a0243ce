import {isBuiltin} from 'node:module';

/** An import at the beginning of a chunk: the default, then names in braces or everything, then the module. */
const IMPORT = /import(?: ?([\w$]+))?,?(?:\{([^}]*)\}|\* ?as ([\w$]+))? ?(?:from ?)?["']([^"']+)["'];/y;

/**
 * Has a minified chunk, in which all imports come first, get Node's modules by `process.getBuiltinModule`. An `import` reads every export of a module at once; some
 * are getters that load further modules, which takes 4 ms for `node:fs`.
 */
export function withoutImports(code: string): string {
  const kept: string[] = [];
  const declared: string[] = [];
  IMPORT.lastIndex = 0;
  let at = 0;
  for (let match = IMPORT.exec(code); match; match = IMPORT.exec(code)) {
    at = IMPORT.lastIndex;
    const [text, main, names, everything, module = ''] = match;
    if (!isBuiltin(module)) {
      kept.push(text);
      continue;
    }
    const whole = main ?? everything;
    const source = `process.getBuiltinModule("${module}")`;
    if (whole !== undefined) declared.push(`${whole}=${source}`);
    if (main !== undefined && everything !== undefined) declared.push(`${everything}=${main}`);
    if (names !== undefined) declared.push(`{${names.replace(/(?<=[\w$]) as /g, ':')}}=${whole ?? source}`);
  }
  const rest = code.slice(at);
  return `${kept.join('')}${declared.length > 0 ? `const ${declared.join(',')};` : ''}${rest}`;
}
