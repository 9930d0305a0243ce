import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {hook, openWithHooks} from './open-with-hooks.ts';
import {idle} from '../open-conversation.ts';

test('the late end of a turn of an earlier session does not end the prompt that waits in the next one', async () => {
  const mode = (id: string) => ({id, name: id});
  const {conversation, prompt, prompts, until, hookRuns, cwd, sent} = await openWithHooks(
    {
      session: {modes: {currentModeId: 'a', availableModes: [mode('a'), mode('b')]}},
      turns: [[{cancelled: true}, {received: 'session/set_mode'}, {stop: {stopReason: 'cancelled'}}], []],
    },
    {
      hooks: [
        hook(
          'UserPromptSubmit',
          'grep -q second || exit 0; touch runs; until [ -e go ]; do sleep 0.05; done',
        ),
      ],
    },
  );
  prompt('first');
  await until(() => sent().some(({method}) => method === 'session/prompt'), 'the first prompt to be sent');
  expect(await conversation.openSession({kind: 'new'})).toEqual({ok: true, value: undefined});
  prompt('second');
  await hookRuns();
  // The first one ends the turn, and its end arrives before the second answer.
  await conversation.setMode('b');
  await conversation.setMode('a');
  writeFileSync(path.join(cwd, 'go'), '');
  const {lastTurn} = await until(idle, 'the end of the second turn');
  expect(lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'end_turn'});
  expect(prompts()).toHaveLength(2);
});
