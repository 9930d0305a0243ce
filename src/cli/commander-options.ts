import {Option} from 'commander';

/** Collects its values; zod checks them later, so that every message has one style. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description} (repeatable)`).argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  );
}

/** Takes one of these; zod checks it later as well. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, `${description}: ${values.join(', ')}`);
}
