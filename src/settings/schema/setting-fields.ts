import {closest, distance} from 'fastest-levenshtein';
import * as z from 'zod/mini';
import {orList} from '../../text/format.ts';
import type {SettingPath} from '../setting-paths.ts';
import type {ReportProblem, SettingsOwner} from '../setting-problems.ts';
import {isJsonObject} from '../../text/json.ts';

/** Says what a setting must be. Objects are not repeated, since they are long and may contain secrets. */
export function mustBe(allowed: string, value: unknown): string {
  const isShort = typeof value !== 'object' || value === null;
  return `must be ${allowed}${isShort ? `, not ${JSON.stringify(value)}` : ''}`;
}

/** The schema of a setting, and a description of its values. */
interface Form<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: Schema;
  readonly allowed: string;
}

/** A named part of a setting. */
interface Part extends Form {
  readonly description: string;
  /** If it differs from the whole setting. */
  readonly applies?: string;
  /** The environment variable that overrides it. */
  readonly variable?: string;
  /** True if no folder may set it. */
  readonly ofUser?: true;
  /** True if it says what must not be stored: without its value, no agent may start. */
  readonly protects?: true;
}

/** A setting with nested values, under any name, or under these. */
export interface SettingField extends Form {
  readonly entry?: Form;
  readonly fields?: Readonly<Record<string, Part>>;
  /** Names that other clients have for these. */
  readonly otherNames?: Readonly<Record<string, string>>;
  readonly variable?: string;
}

export const words = z.string().check(z.minLength(1));
export const flag = {schema: z.boolean(), allowed: 'true or false'} as const;
export const amount = {schema: z.number().check(z.positive()), allowed: 'a number greater than 0'} as const;

export const folders = {
  schema: z.array(z.string().check(z.regex(/^(?:\/|~(?:$|\/))/))),
  allowed: 'a list of folders that start with / or ~/, such as ["~/.my-agent"]',
} as const;
export const patterns = {
  schema: z.array(z.string().check(z.regex(/^(?!\/|~|(?:.*\/)?\.\.(?:\/|$))[^\0\n]+$/))),
  allowed: 'a list of names, or of paths from the session\'s folder, such as [".env*", "config/*.key"]',
} as const;
export const hosts = {
  schema: z.array(z.string().check(z.regex(/^(?:\*\.)?[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i))),
  allowed: 'a list of hosts, such as ["registry.example", "*.example.org", "localhost:8080"]',
} as const;

export function text<const Allowed extends string>(allowed: Allowed) {
  return {schema: words, allowed} as const;
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return {schema: z.enum(values), allowed: orList(values)} as const;
}

/** A list of these. */
export function listOf<const Values extends readonly string[]>(values: Values) {
  return {schema: z.array(z.enum(values)), allowed: `a list of ${orList(values)}`} as const;
}

/** An object of these settings, each of which can be missing. */
export function parts<const Parts extends Readonly<Record<string, Part>>>(fields: Parts) {
  const optional = Object.entries(fields).map(([name, {schema}]) => [name, z.optional(schema)]);
  const shape = Object.fromEntries(optional) as {
    [Name in keyof Parts]: z.ZodMiniOptional<Parts[Name]['schema']>;
  };
  const allowed = `an object with ${orList(Object.keys(fields))}`;
  return {schema: z.strictObject(shape), fields, allowed} as const;
}

/** Names the first part of a value that does not fit; nothing if it is the whole value. */
function faultyPart({issues: [issue]}: z.core.$ZodError): string {
  if (!issue) return '';
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const path = [...issue.path, ...(unknown === undefined ? [] : [unknown])];
  return path.length === 0 ? '' : ` (wrong: ${path.join('.')})`;
}

const SWITCH: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  [true, 'on'],
  [false, 'off'],
  ['on', true],
  ['off', false],
]);

/** Returns `true` and `false` as `on` and `off`, or the reverse, if the setting has these; any other value unchanged. */
export function switchWord(schema: z.ZodMiniType, value: unknown): unknown {
  // A setting that takes any text takes no switch.
  const isSwitch = schema.def.type === (typeof value === 'boolean' ? 'enum' : 'boolean');
  const other = SWITCH.get(value);
  return isSwitch && !schema.safeParse(value).success && schema.safeParse(other).success ? other : value;
}

/** Returns the most similar name; undefined if none is similar enough. */
export function similar(given: string, names: readonly string[]): string | undefined {
  const name = closest(given, names);
  return name && distance(given, name) <= name.length / 2 ? name : undefined;
}

/** Returns a question that names what may be meant, at the end of a path; undefined if nothing is. */
export function didYouMean(path: SettingPath, name: string | undefined): string | undefined {
  return name === undefined ? undefined : `Did you mean "${[...path, name].join('.')}"?`;
}

interface SettingPlace {
  readonly path: SettingPath;
  /** Whose file it is in. */
  readonly of: SettingsOwner;
}

/** Returns the value of a setting without its invalid parts, so that one error does not disable the rest. */
export function validEntries(
  {entry, fields = {}, otherNames = {}}: SettingField,
  value: unknown,
  {path, of}: SettingPlace,
  report: ReportProblem,
): unknown {
  if ((!entry && Object.keys(fields).length === 0) || !isJsonObject(value)) return value;
  const right = Object.entries(value).flatMap(([name, given]: [string, unknown]) => {
    const at = [...path, name];
    const part = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const form = entry ?? part;
    if (!form) {
      const meant = Object.hasOwn(otherNames, name) ? otherNames[name] : similar(name, Object.keys(fields));
      report(at, 'is not a setting', didYouMean(path, meant));
    } else if (part?.ofUser && of === 'project') report(at, 'is not a folder setting');
    else {
      const fitting = switchWord(form.schema, given);
      const {error} = form.schema.safeParse(fitting);
      if (!error) return [[name, fitting] as const];
      report(at, mustBe(form.allowed + faultyPart(error), given));
    }
    return [];
  });
  return Object.fromEntries(right);
}
