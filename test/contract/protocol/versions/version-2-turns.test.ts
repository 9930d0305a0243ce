import {expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {messageText} from '../../../../src/session/selectors.ts';
import {entriesOf} from '../../../support/session/build.ts';
import {openScripted} from '../../conversation/open-conversation.ts';

const initialize = {protocolVersion: 2, info: {name: 'v2', version: '1'}, capabilities: {session: {}}};
const state = (name: string, fields: object = {}) => ({
  update: {sessionUpdate: 'state_update', state: name, ...fields},
});
const running = state('running');
const idle = state('idle', {stopReason: 'end_turn'});
const ends = state('idle', {stopReason: 'max_tokens'});
const says = (messageId: string) => ({
  update: {sessionUpdate: 'agent_message_chunk', messageId, content: {type: 'text', text: messageId}},
});
/** The response to the first or second prompt. */
const accepts = (prompt: number) => ({send: {jsonrpc: '2.0', id: prompt + 1, result: {messageId: 'p'}}});

/** The messages after these turns, with the turn of each, and how the last turn ended. */
async function after(...turns: readonly (readonly ScriptStep[])[]) {
  const {
    state: now,
    prompt,
    until,
  } = await openScripted({initialize, turns}, {offer: {fs: true, terminal: true, protocolVersion: 2}});
  for (const [turn, steps] of turns.entries()) {
    prompt('go');
    await until(({lastTurn}) => lastTurn?.turn === turn + 1, 'the end of the turn');
    if (steps.at(-1) === running) await until(({live}) => live?.work !== undefined, 'other work');
  }
  const isLast = (words: string) => words === 'last';
  await until(
    (session) => entriesOf(session, 'agent_message').map(messageText).some(isLast),
    'the last words',
  );
  const said = entriesOf(now(), 'agent_message').map((entry) => [messageText(entry), entry.turn]);
  return {said, outcome: now().lastTurn?.outcome};
}

const ofSecond = {
  said: [
    ['own', 2],
    ['last', 2],
  ],
  outcome: {stopReason: 'max_tokens'},
};

test.each<[name: string, first: readonly ScriptStep[]]>([
  ['that goes on', [running, says('own'), idle]],
  ['that waited for the user', [state('requires_action'), running, says('own'), idle]],
])('a prompt during other work %s ends with its own', async (_, goesOn) => {
  const second = [...goesOn, running, says('last'), accepts(2), ends];
  expect(await after([running, idle, running], second)).toMatchObject(ofSecond);
});

test('a prompt that was taken into other work ends with that', async () => {
  expect(await after([running, idle, running], [accepts(2), says('own'), says('last'), ends])).toMatchObject(
    ofSecond,
  );
});

test('an idle state that is repeated before the work begins ends no turn', async () => {
  const again = state('idle', {stopReason: 'end_turn', background: []});
  const second = [accepts(2), again, state('idle'), running, says('own'), says('last'), ends];
  expect(await after([running, idle], second)).toMatchObject(ofSecond);
});

test.each<[name: string, steps: readonly ScriptStep[]]>([
  ['after what was said', [accepts(2), says('own'), says('last'), idle]],
  ['for another reason', [says('own'), says('last'), accepts(2), ends]],
])('an idle state ends a turn without work: %s', async (_, second) => {
  expect((await after([running, idle], second)).said).toEqual(ofSecond.said);
});

test('what an agent begins by itself at once is not of the turn before', async () => {
  const lines = [running, says('own'), idle, running, says('last')].map(({update}) =>
    JSON.stringify({jsonrpc: '2.0', method: 'session/update', params: {sessionId: 'session-1', update}}),
  );
  const {said} = await after([accepts(1), {raw: `${lines.join('\n')}\n`}]);
  expect(said).toEqual([
    ['own', 1],
    ['last', undefined],
  ]);
});
