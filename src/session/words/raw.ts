const TEXT_KEYS = ['error', 'message', 'stderr', 'output', 'text', 'content'] as const;

/** A raw input or output as text: the text that it holds where it says so, otherwise its JSON. */
export function rawText(raw: unknown): string {
  if (raw === undefined || raw === null) return '';
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'object') {
    const record = raw as Readonly<Record<string, unknown>>;
    for (const key of TEXT_KEYS) {
      const value = record[key];
      if (typeof value === 'string' && value.trim() !== '') return value;
    }
  }
  return JSON.stringify(raw, undefined, 2);
}
