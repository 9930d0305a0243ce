import {expect, test} from 'vitest';
import {replayedRuns} from '../../../../src/conversation/replay/wire-to-events.ts';
import type {RecordingLine} from '../../../../src/recording/format.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import {messageText} from '../../../../src/session/selectors.ts';
import type {SessionState} from '../../../../src/session/state.ts';

/** A process with one prompt and answer, its lines in order. */
function life(label: string, p?: number): RecordingLine[] {
  const place = p === undefined ? {} : {p};
  const to = (m: Record<string, unknown>): RecordingLine => ({t: 1, ...place, d: '>', m});
  const from = (m: Record<string, unknown>): RecordingLine => ({t: 2, ...place, d: '<', m});
  const agent = {label, command: label, args: []};
  const update = {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: `I am ${label}.`}};
  return [
    {t: 0, ...place, d: '#', e: 'start', v: 1, at: 1, program: 'x', agent, cwd: '/project'},
    to({id: 1, method: 'session/new', params: {cwd: '/project'}}),
    from({id: 1, result: {sessionId: 's'}}),
    to({id: 2, method: 'session/prompt', params: {sessionId: 's', prompt: [{type: 'text', text: 'who?'}]}}),
    from({method: 'session/update', params: {sessionId: 's', update}}),
    from({id: 2, result: {stopReason: 'end_turn'}}),
  ];
}

/** Two processes at the same time, line by line. */
const [first, second] = [life('one'), life('two', 2)];
const both = first.flatMap((line, index) => [line, second[index]!]);

function play(run?: number, recording: readonly RecordingLine[] = both): SessionState | undefined {
  const lives = replayedRuns(recording, run);
  return lives?.lines.reduce<SessionState>(
    (state, line) =>
      lives.eventsOf(line, state).reduce((state, event) => reduce(state, {at: line.t, ...event}), state),
    initialSession({cwd: '/project', additionalDirectories: [], at: 0}),
  );
}

const said = (state: SessionState | undefined) =>
  state?.entries.flatMap((entry) =>
    entry.type === 'notice' ? [entry.text] : entry.type === 'agent_message' ? [messageText(entry)] : [],
  );

test('announces and shows several agents of a recording one after the other', () => {
  expect(said(play())).toEqual([
    'Agent process 1 of 2: one, in /project',
    'I am one.',
    'Agent process 2 of 2: two, in /project',
    'I am two.',
  ]);
  expect(play()?.lastTurn?.turn).toBe(2);
});

test('selects one of them by its number, if it exists', () => {
  expect(said(play(2))).toEqual(['Agent process 2 of 2: two, in /project', 'I am two.']);
  expect(play(3)).toBeUndefined();
});

/** A process with two sessions, each with a prompt and an answer; the second one is opened in between. */
function shared(): readonly RecordingLine[] {
  const [begun, ...one] = life('one');
  const other = one.map((line): RecordingLine => {
    const text = JSON.stringify(line)
      .replaceAll('"s"', '"t"')
      .replaceAll('"id":', '"id":1')
      .replace('I am one', 'I am the other');
    return JSON.parse(text) as RecordingLine;
  });
  return [begun!, ...one.slice(0, 2), ...other, ...one.slice(2)];
}

test('shows concurrent sessions of one agent process one after the other, too', () => {
  expect(said(play(undefined, shared()))).toEqual([
    'Agent process 1 of 1, session 1 of 2: one, in /project',
    'I am one.',
    'Agent process 1 of 1, session 2 of 2: one, in /project',
    'New session. The agent does not have the messages above as context.',
    'I am the other.',
  ]);
});

test('a session that replaces another one in its process continues its transcript', () => {
  const [begun, ...one] = life('one');
  const next = one.map((line) => JSON.parse(JSON.stringify(line).replaceAll('"s"', '"t"')) as RecordingLine);
  expect(said(play(undefined, [begun!, ...one, ...next]))).toEqual([
    'I am one.',
    'New session. The agent does not have the messages above as context.',
    'I am one.',
  ]);
});
