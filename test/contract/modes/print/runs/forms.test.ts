import {describe, expect, test} from 'vitest';
import {runFake} from '../run-fake.ts';
import type {Turn} from '../fake-conversation.ts';

const text = 'Rejected a question from the agent: there is no user to ask.';
const refused: Turn = async (agent) => {
  agent.emit({type: 'elicitation_refused', text});
  agent.say('Then I guess.');
  return 'end_turn';
};

describe('a form without a user', () => {
  test.each(['text', 'quiet', 'json', 'stream-json', 'acp'])(
    'is reported on stderr with %s',
    async (format) => {
      const run = await runFake(['x', '--output-format', format], refused);
      expect(run.stderr.match(/Rejected a question from the agent: there is no user to ask/g)).toHaveLength(
        1,
      );
      expect(run.exitCode).toBe(0);
    },
  );
});
