import type {Message} from './exchanges.ts';

/** What a value has as an object; nothing where it is none. */
export function fieldsOf(value: unknown): Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : {};
}

/** The objects of a list; none where it is no list. */
export function itemsOf(value: unknown): readonly Message[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** A text; undefined where a value is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Any value as a word: a text as it is, everything else as JSON, since an object need not have a `toString` that works. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}
