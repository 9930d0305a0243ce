import type {Quirks} from './quirks.ts';

/**
 * Gemini CLI reads a file before it writes it, and does not recognise any error that says that there is none
 * (fixtures/wire/gemini-write.ndjson: the write fails; gemini-write-missingempty.ndjson: it works).
 * The title of a request to run a command is the command, and nothing else tells it (gemini-run.ndjson).
 */
export const gemini: Quirks = {emptyFileWhenMissing: true, commandAsTitle: true};
