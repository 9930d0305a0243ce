import type * as z from 'zod/mini';

/** A setting that cannot be used, in a sentence. An object may hold secrets, and is long: it is not repeated. */
export function wrongSetting(where: string, allowed: string, value: unknown): string {
  const isShort = typeof value !== 'object' || value === null;
  return `${where} takes ${allowed}${isShort ? `, not ${JSON.stringify(value)}` : ''}; it is ignored.`;
}

/** What a setting takes, in the file and as words. */
interface Form {
  readonly schema: z.ZodMiniType;
  readonly allowed: string;
}

export interface SettingPlace {
  /** Of the setting, with dots. */
  readonly path: string;
  readonly file: string;
  readonly problems: string[];
}

/** The value of a setting, without the entries that cannot be used where it has many: a wrong one takes only itself away. */
export function rightEntries(
  field: Form & {readonly entry?: Form},
  value: unknown,
  {path, file, problems}: SettingPlace,
): unknown {
  const {entry} = field;
  if (!entry || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const right = Object.entries(value).filter(([name, given]: [string, unknown]) => {
    const fits = entry.schema.safeParse(given).success;
    if (!fits) problems.push(wrongSetting(`"${path}.${name}" in ${file}`, entry.allowed, given));
    return fits;
  });
  return Object.fromEntries(right);
}
