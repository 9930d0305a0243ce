import type {Quirks} from './quirks.ts';

/**
 * fixtures/wire/copilot-write-run-edit.ndjson. Its notices stand among the messages, and are not told again when the session is loaded;
 * its counts of tokens go on from turn to turn, and begin anew with the process.
 */
export const copilot: Quirks = {noticesAsMessages: true, usageAddsUp: true};
