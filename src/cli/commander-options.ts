import {Option} from 'commander';

/** Collects its values; zod checks them later, so that every message has one style. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description} (repeatable)`).argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  );
}

/** Takes one of these; zod checks it later as well. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  return withChoices(new Option(flags, `${description}: ${values.join(', ')}`), values);
}

/** Commander has choices of its own, which it would check and word itself. */
const choices = new WeakMap<Option, readonly string[]>();

/** Remembers the values of an option, for the shell that completes them. */
export function withChoices(option: Option, values: readonly string[]): Option {
  choices.set(option, values);
  return option;
}

export function choicesOf(option: Option): readonly string[] | undefined {
  return choices.get(option);
}
