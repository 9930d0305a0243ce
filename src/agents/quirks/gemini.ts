import type {Quirks} from './quirks.ts';

/**
 * Gemini CLI reads a file before it writes it, and does not recognise any error that says that there is none
 * (fixtures/wire/gemini-write.ndjson: the write fails; gemini-write-missingempty.ndjson: it works).
 */
export const gemini: Quirks = {emptyFileWhenMissing: true};
