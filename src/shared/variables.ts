/** An environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{([^}]*)\}/g;
/** A variable with an optional default. The prefix `env:` is VS Code's. */
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)(?::-([^]*))?$/;

interface Expansion {
  readonly variables: Variables;
  /** Called with why a reference cannot be expanded. */
  readonly onProblem: (problem: string) => void;
  /** Called with each expanded value. */
  readonly onValue: (value: string) => void;
}

/** Expands `${NAME}` and `${NAME:-default}`. References that cannot be expanded are reported, and removed; expanded values are not expanded again. */
export function expand(text: string, {variables, onProblem, onValue}: Expansion): string {
  return text.replaceAll(REFERENCE, (reference: string, inside: string) => {
    const [, name, fallback] = VARIABLE.exec(inside) ?? [];
    if (name === undefined) {
      onProblem(`${reference} is not a variable`);
      return '';
    }
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (fallback !== undefined && !value) return fallback;
    if (value === undefined) onProblem(`the variable ${name} is not set`);
    else onValue(value);
    return value ?? '';
  });
}

/** Returns the names of the variables that a text refers to. */
export function variablesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(REFERENCE), ([, inside = '']) => VARIABLE.exec(inside)?.[1]).filter(
    (name) => name !== undefined,
  );
}
