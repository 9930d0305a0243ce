import {Option, type Command} from 'commander';
import * as z from 'zod/mini';
import {orList} from '../text/format.ts';

/** An option as in the help, and the schema of its value. zod alone validates values, so that all messages have the same style. */
interface DeclaredOption<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly option: Option;
  readonly schema: Schema;
}

/** Options by the names that commander derives from their flags. */
export type OptionTable = Readonly<Record<string, DeclaredOption>>;
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: z.infer<Table[Name]['schema']>;
};

export function addOptions(command: Command, table: OptionTable): Command {
  for (const {option} of Object.values(table)) command.addOption(option);
  return command;
}

/** Returns the schema of what commander read: options that are not in the table are dropped. */
export function schemaOf<Table extends OptionTable>(table: Table): z.ZodMiniType<OptionValues<Table>> {
  const shape = Object.fromEntries(Object.entries(table).map(([name, {schema}]) => [name, schema]));
  return z.object(shape) as unknown as z.ZodMiniType<OptionValues<Table>>;
}

/** An option without a value; `--no-…` is true without it. */
export function flag(flags: string, description: string) {
  return option(flags, description, z.prefault(z.boolean(), flags.startsWith('--no-')));
}

// Most options are not given, and creating their schemas takes milliseconds.

export function text(flags: string, description: string) {
  return option(flags, description, z.optional(notEmpty(flags)));
}

/** An option that can be repeated. */
export function texts(flags: string, description: string) {
  return repeated(flags, description, z.prefault(z.array(notEmpty(flags)), []));
}

/** `NAME=value`, as in the flags; repeatable, and split at the first `=`. */
export function pairs(flags: string, description: string) {
  const [, form = ''] = /<(.*)>/.exec(flags) ?? [];
  const error = ({input}: {readonly input?: unknown}) =>
    `${longFlag(flags)} must be ${form}, not "${String(input)}".`;
  const pair = z.lazy(() =>
    z.pipe(
      z.string().check(z.regex(/^[^=\0]+=/, {error})),
      z.transform((text): readonly [string, string] => {
        const at = text.indexOf('=');
        return [text.slice(0, at), text.slice(at + 1)];
      }),
    ),
  );
  return repeated(flags, description, z.prefault(z.array(pair), []));
}

/** One of these values. */
export function choice<const Values extends readonly string[]>(
  flags: string,
  description: string,
  values: Values,
) {
  const declared = option(
    flags,
    `${description}: ${values.join(', ')}`,
    z.optional(oneOf(longFlag(flags), values)),
  );
  return withChoices(declared, values);
}

/** Several of these values, also separated by commas. */
export function choices<const Values extends readonly string[]>(
  flags: string,
  description: string,
  values: Values,
) {
  const each = z.prefault(z.array(oneOf(longFlag(flags), values)), []);
  const declared = repeated(flags, `${description}: ${values.join(', ')} (comma-separated)`, each, ',');
  return withChoices(declared, values);
}

/** Options that the first help leaves out; the page command-line and completion have them. */
const rareOptions = new WeakSet<Option>();

/** Leaves an option out of the first help. */
export function rare<Declared extends DeclaredOption>(declared: Declared): Declared {
  rareOptions.add(declared.option.hideHelp());
  return declared;
}

/** True for an option that is not documented at all. */
export function isInternal(option: Option): boolean {
  return option.hidden && !rareOptions.has(option);
}

/** An option with a schema of its own. */
export function option<Schema extends z.ZodMiniType>(flags: string, description: string, schema: Schema) {
  return {option: new Option(flags, description), schema};
}

function repeated<Schema extends z.ZodMiniType>(
  flags: string,
  description: string,
  schema: Schema,
  separator?: string,
) {
  const declared = option(flags, `${description} (repeatable)`, schema);
  declared.option.argParser((value: string, before: string[] | undefined) => [
    ...(before ?? []),
    ...(separator === undefined ? [value] : value.split(separator)),
  ]);
  return declared;
}

/** Not commander's own choices, which it would validate with its own messages. */
const known = new WeakMap<Option, readonly string[]>();

/** Stores the values of an option for shell completion. */
export function withChoices<Declared extends DeclaredOption>(
  declared: Declared,
  values: readonly string[],
): Declared {
  known.set(declared.option, values);
  return declared;
}

export function choicesOf(option: Option): readonly string[] | undefined {
  return known.get(option);
}

export function longFlag(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

/** Accepts one of these words. */
export function oneOf<const Values extends readonly string[]>(flag: string, values: Values) {
  return z.lazy(() =>
    z.enum(values, {error: ({input}) => `${flag} must be ${orList(values)}, not "${String(input)}".`}),
  );
}

export function notEmpty(flags: string) {
  const error = `${longFlag(flags)} requires a value that is not empty.`;
  return z.lazy(() => z.string().check(z.minLength(1, {error})));
}

/** A whole number above 0. */
export function count(flags: string, description: string) {
  const flag = longFlag(flags);
  const whole = z.pipe(
    z.transform(Number),
    z
      .int({error: `${flag} must be a whole number.`})
      .check(z.positive({error: `${flag} must be greater than 0.`})),
  );
  return option(flags, description, z.optional(whole));
}

/** A number above 0. */
export function amount(flags: string, description: string) {
  const flag = longFlag(flags);
  const positive = z.pipe(
    z.transform(Number),
    z
      .number({error: `${flag} must be a number.`})
      .check(z.positive({error: `${flag} must be greater than 0.`})),
  );
  return option(flags, description, z.optional(positive));
}

/** The maximum delay of `setTimeout`. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** The value of `--timeout`. */
export const seconds = z.lazy(() =>
  z.pipe(
    z.transform(Number),
    z.number({error: '--timeout must be a number of seconds.'}).check(
      z.positive({error: '--timeout must be greater than 0 seconds.'}),
      z.maximum(MAX_TIMEOUT_SECONDS, {
        error: `--timeout must be at most ${MAX_TIMEOUT_SECONDS} seconds.`,
      }),
    ),
  ),
);
