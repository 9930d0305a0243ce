export type Variables = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{([^}]*)\}/g;
/** A variable, with what stands in for one that is unset or empty. `env:` is how one editor writes it. */
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)(?::-([^]*))?$/;

export interface Expansion {
  readonly variables: Variables;
  /** Hears why a reference cannot be filled in. */
  readonly onProblem: (problem: string) => void;
  /** Hears what was filled in. */
  readonly onValue: (value: string) => void;
}

/**
 * Puts variables in the place of `${NAME}` and `${NAME:-default}`. What cannot be filled in is told in words, and left out
 * of the text; nothing else in it is touched, and what a variable holds is not expanded again.
 */
export function expand(text: string, {variables, onProblem, onValue}: Expansion): string {
  return text.replaceAll(REFERENCE, (reference: string, inside: string) => {
    const [, name, fallback] = VARIABLE.exec(inside) ?? [];
    if (name === undefined) {
      onProblem(`${reference} is no variable`);
      return '';
    }
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (fallback !== undefined && !value) return fallback;
    if (value === undefined) onProblem(`the variable ${name} is not set`);
    else onValue(value);
    return value ?? '';
  });
}

/** The names of the variables that a text refers to. */
export function variablesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(REFERENCE), ([, inside = '']) => VARIABLE.exec(inside)?.[1]).filter(
    (name) => name !== undefined,
  );
}
