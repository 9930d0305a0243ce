import {keyVariable, type Quirks} from './quirks.ts';

/** fixtures/wire/codex-*.ndjson. What it does with terminals and cancelled tool calls is read for any agent. */
export const codex: Quirks = {
  variables: {'api-key': [keyVariable('OPENAI_API_KEY')]},
  notes: [
    'It runs commands by itself, in terminals that no client made, and describes them in _meta: acp-tui shows those, too.',
    'Refusing a permission ends the turn as cancelled.',
    'A cancelled tool call is never told to have ended, or only after the turn.',
    'In its mode "agent" a model reviews commands: choose "read-only" to be asked.',
    'An error of its model service is an ordinary message and an ordinary end of the turn.',
    'It takes about five seconds to end: acp-tui ends it after two.',
  ],
};
