import type {Quirks} from './quirks.ts';

/** fixtures/wire/opencode-*.ndjson. A copy that tells everything again is joined with what is there, for any agent. */
export const opencode: Quirks = {
  notes: [
    'It tells the conversation of a copy before it names the copy (fork).',
    'It writes files by itself, and then through the client, even when that was not offered.',
    'Its list of tasks is an ordinary tool call, not a plan.',
  ],
};
