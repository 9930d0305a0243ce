import type * as z from 'zod/mini';
import {isFields} from '../../text/json.ts';

/** Reports an invalid setting in a sentence. Objects are not repeated, since they are long and may contain secrets. */
export function invalidSetting(where: string, allowed: string, value: unknown): string {
  const isShort = typeof value !== 'object' || value === null;
  return `${where} must be ${allowed}${isShort ? `, not ${JSON.stringify(value)}` : ''}; it is ignored.`;
}

/** The schema of a setting, and its description. */
interface Form {
  readonly schema: z.ZodMiniType;
  readonly allowed: string;
}

interface SettingPlace {
  /** The setting's path, with dots. */
  readonly path: string;
  readonly file: string;
  readonly problems: string[];
}

/** A setting with nested values, under any name, or under these. */
export interface SettingField extends Form {
  readonly entry?: Form;
  readonly fields?: Readonly<
    Record<string, Form & {readonly description: string; readonly applies?: string}>
  >;
}

/** Names the first part of a value that does not fit; nothing if it is the whole value. */
function faultyPart({issues: [issue]}: z.core.$ZodError): string {
  if (!issue) return '';
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const path = [...issue.path, ...(unknown === undefined ? [] : [unknown])];
  return path.length === 0 ? '' : ` (wrong: ${path.join('.')})`;
}

/** Returns the value of a setting without its invalid parts, so that one error does not disable the rest. */
export function validEntries(
  {entry, fields}: SettingField,
  value: unknown,
  {path, file, problems}: SettingPlace,
): unknown {
  if ((!entry && !fields) || !isFields(value)) return value;
  const right = Object.entries(value).filter(([name, given]: [string, unknown]) => {
    const where = `"${path}.${name}" in ${file}`;
    const form = entry ?? (fields && Object.hasOwn(fields, name) ? fields[name] : undefined);
    if (!form) problems.push(`Unknown setting ${where}; it is ignored.`);
    const parsed = form?.schema.safeParse(given);
    if (form && parsed?.error)
      problems.push(invalidSetting(where, form.allowed + faultyPart(parsed.error), given));
    return parsed?.success ?? false;
  });
  return Object.fromEntries(right);
}
