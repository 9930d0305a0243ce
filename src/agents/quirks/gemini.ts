import {keyVariable, type Quirks} from './quirks.ts';

/**
 * Gemini CLI reads a file before it writes it, and does not recognise any error that says that there is none
 * (fixtures/wire/gemini-write.ndjson: the write fails; gemini-write-missingempty.ndjson: it works).
 * The title of a request to run a command is the command, and nothing else tells it (gemini-run.ndjson).
 * It tells a new mode as a message, `[MODE_UPDATE] yolo` (gemini-modes.ndjson).
 */
export const gemini: Quirks = {
  emptyFileWhenMissing: true,
  commandAsTitle: true,
  modeAsMessage: true,
  variables: {'gemini-api-key': [keyVariable('GEMINI_API_KEY')]},
  notes: [
    'It offers to load sessions, and says of some of them that there are none for the project.',
    'A tool that needs permission is first told of in the request for it, and not again when it is refused.',
    'Errors of its model service come with the code of HTTP, and JSON as their message.',
  ],
};
