import {expect, test} from 'vitest';
import {idle, openScripted} from '../open-conversation.ts';

/** The response to an agent of this name when it reads a missing file. */
async function readMissing(name: string) {
  const conversation = await openScripted({
    initialize: {agentInfo: {name, version: '1'}},
    turns: [
      [
        {
          ask: 'r',
          method: 'fs/read_text_file',
          params: {sessionId: '$session', path: '$cwd/none'},
        },
        {answered: 'r'},
      ],
    ],
  });
  conversation.prompt('go');
  await conversation.until(idle, 'the end');
  return conversation.answerTo('r');
}

test('a missing file is an error, but empty for the agent that cannot create one otherwise', async () => {
  expect((await readMissing('any-agent')).error).toMatchObject({code: -32002});
  expect((await readMissing('gemini-cli')).result).toEqual({content: ''});
});
