import {addAll} from '../text/lists.ts';
/** An environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A variable with an optional default. The prefix `env:` is VS Code's. */
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)(?::-([^]*))?$/;

interface Expansion {
  readonly variables: Variables;
  /** Called with why a reference cannot be expanded. */
  readonly onProblem: (problem: string) => void;
  /** Called with each expanded value. */
  readonly onValue: (value: string) => void;
}

/** Expands `${NAME}` and `${NAME:-default}`, whose default may hold others. References that cannot be expanded are reported, and removed; expanded values are not expanded again. */
export function expand(text: string, expansion: Expansion): string {
  let expanded = '';
  let at = 0;
  for (const {from, to} of referencesIn(text)) {
    expanded += text.slice(at, from) + valueOf(text.slice(from, to), expansion);
    at = to;
  }
  return expanded + text.slice(at);
}

function valueOf(reference: string, expansion: Expansion): string {
  const {variables, onProblem, onValue} = expansion;
  const [, name, fallback] = VARIABLE.exec(reference.slice(2, -1)) ?? [];
  if (name === undefined) {
    onProblem(`${reference} is not a variable`);
    return '';
  }
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (fallback !== undefined && !value) return expand(fallback, expansion);
  if (value === undefined) onProblem(`the variable ${name} is not set`);
  else onValue(value);
  return value ?? '';
}

/** Returns the names of the variables that a text refers to, also in defaults. */
export function variablesIn(text: string): readonly string[] {
  const names: string[] = [];
  for (const {from, to} of referencesIn(text)) {
    const [, name, fallback = ''] = VARIABLE.exec(text.slice(from + 2, to - 1)) ?? [];
    if (name !== undefined) addAll(names, [name, ...variablesIn(fallback)]);
  }
  return names;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Nobody nests deeper, and each level is read again. */
const MAX_DEPTH = 20;

/** Returns the references in a text; not those in defaults. */
function referencesIn(text: string): readonly Range[] {
  const found: Range[] = [];
  let from = 0;
  let depth = 0;
  for (const {0: token, index} of text.matchAll(/\$\{|\}/g)) {
    if (token === '}' && depth === 0) continue;
    if (depth === 0) from = index;
    depth += token === '}' ? -1 : 1;
    if (depth > MAX_DEPTH) break;
    if (depth === 0) found.push({from, to: index + 1});
  }
  return found;
}
