/** A setting that cannot be used, in a sentence. An object may hold secrets, and is long: it is not repeated. */
export function wrongSetting(where: string, allowed: string, value: unknown): string {
  const isShort = typeof value !== 'object' || value === null;
  return `${where} takes ${allowed}${isShort ? `, not ${JSON.stringify(value)}` : ''}; it is ignored.`;
}
