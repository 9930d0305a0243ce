import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Update} from '../../../../src/session/events.ts';
import {INTERRUPTION} from '../../../../src/session/labels/labels.ts';
import {
  calls,
  callUpdate,
  ended,
  reduceEvents,
  only,
  opened,
  prompted,
  says,
  text,
  thinks,
  types,
  update,
} from '../../../support/session/build.ts';
import {summary, userSays, replayUpdates, conversation, reload} from './replayed.ts';

/** As the normalizer reads what Claude stores in the user's name. */
const interrupted: Update = {sessionUpdate: 'notice', severity: 'info', title: INTERRUPTION};

describe('a replay merged with the stored transcript', () => {
  test('of the same conversation changes nothing', () => {
    expect(summary(reload(conversation, ...replayUpdates))).toEqual([
      'hello',
      'agent_thought',
      'Hi there.',
      't1 completed',
      'turn_end',
      'something of ours',
      'go on',
      'Done.',
      'turn_end',
    ]);
  });

  test('is the conversation if nothing is stored', () => {
    expect(summary(reload(opened, ...replayUpdates))).toEqual([
      'hello',
      'Hi there.',
      't1 completed',
      'go on',
      'Done.',
    ]);
  });

  test('adds a message sent elsewhere, even if an earlier one was the same', () => {
    expect(
      summary(reload(conversation, ...replayUpdates, userSays('once more'), says('Done.'))).slice(-3),
    ).toEqual(['turn_end', 'once more', 'Done.']);
  });

  test('that has other prompts in between follows as a whole, below a line that says so', () => {
    const reported = replayUpdates.toSpliced(3, 0, userSays('in between'), says('Aside.'));
    const once = reload(conversation, ...reported);
    expect(summary(once)).toEqual([
      ...summary(conversation),
      expect.stringContaining('remembers this session differently'),
      'hello',
      'Hi there.',
      't1 #2 completed',
      'in between',
      'Aside.',
      'go on',
      'Done.',
    ]);
    expect(summary(reload(once, ...reported, userSays('later'), says('Bye.')))).toEqual([
      ...summary(once),
      'later',
      'Bye.',
    ]);
  });

  test('that has none of the prompts follows below that line, too', () => {
    const reported = [userSays('of somebody else'), says('Aside.')];
    const once = reload(conversation, ...reported);
    expect(summary(once)).toEqual([
      ...summary(conversation),
      expect.stringContaining('remembers this session differently'),
      'of somebody else',
      'Aside.',
    ]);
    expect(summary(reload(once, ...reported))).toEqual(summary(once));
  });

  test('without the prompts that the agent has forgotten changes nothing', () => {
    expect(summary(reload(conversation, ...replayUpdates.slice(3)))).toEqual(summary(conversation));
  });

  test('doubles nothing if white space, message IDs and tool call IDs are others', () => {
    const reported = [
      userSays('hello\n', 'u1'),
      says('Hi  there.\n', 'a1'),
      calls('other:1', {status: 'completed'}),
      userSays('go on', 'u2'),
      says('Done. ', 'a2'),
    ];
    expect(summary(reload(conversation, ...reported))).toEqual(summary(conversation));
  });

  test.each([
    ['went on after the connection was lost', [says('Half an answer, and the rest.')], [' and the rest.']],
    ['went on with another message', [says('Half an'), says(' answer,', 'b'), says('More.', 'c')], ['More.']],
    ['went on with a tool', [says('Half an answer,'), calls('t9', {status: 'completed'})], ['t9 completed']],
    ['began again', [says('Another answer.')], ['Another answer.']],
    ['has no more', [says('Half an')], []],
    ['has another order', [says('More.', 'b'), says('Half an answer,', 'c')], ['More.']],
  ])('of an interrupted turn adds what is missing: the agent %s', (_how, reported, added) => {
    const failure = {kind: 'connection_lost', exit: undefined, stderrTail: ''} as const;
    const cut = reduceEvents(opened, prompted('q'), update(says('Half an answer,')), {
      type: 'prompt_ended',
      turn: 1,
      outcome: {kind: 'failed', failure},
    });
    const once = reload(cut, userSays('q'), ...reported);
    expect(summary(once)).toEqual([...summary(cut), ...added]);
    expect(summary(reload(once, userSays('q'), ...reported))).toEqual(summary(once));
  });

  test('marks a prompt that the agent never received, and says so once', () => {
    const reported = replayUpdates.slice(0, 3);
    const once = reload(conversation, ...reported);
    expect(summary(once).slice(-4)).toEqual([
      '~go on',
      '~Done.',
      'turn_end',
      'The agent does not have your last prompt in its context.',
    ]);
    expect(summary(reload(once, ...reported))).toEqual(summary(once));
  });

  test('misses no turn that the session was rewound past, also if its prompt was sent again', () => {
    const session = {sessionId: 's1', cwd: '/project', additionalDirectories: []};
    const rewound = reduceEvents(
      conversation,
      prompted('again', 3),
      ended('end_turn', 3),
      {type: 'session_opened', how: 'fork', session, rewoundTo: 3},
      prompted('again', 4),
      update(says('Better.')),
      ended('end_turn', 4),
    );
    const again = [...replayUpdates, userSays('again'), says('Better.')];
    expect(summary(reload(rewound, ...again))).toEqual(summary(rewound));
    expect(summary(reload(rewound, ...replayUpdates)).filter((line) => line.startsWith('~'))).toEqual([
      '~again',
      '~Better.',
    ]);
    const back = reduceEvents(conversation, {type: 'session_opened', how: 'fork', session, rewoundTo: 2});
    expect(summary(reload(back, ...replayUpdates.slice(0, 3)))).toEqual(summary(back));
  });

  test('keeps what the agent reports of itself meanwhile', () => {
    const state = reload(
      conversation,
      {sessionUpdate: 'cursor_update', cursorId: 'k', canFork: true},
      {sessionUpdate: 'state_update', state: 'running'},
    );
    expect(state.live).toMatchObject({cursors: {cursorId: 'k', canFork: true}, work: {needsUser: false}});
  });

  test('recognizes a prompt that the agent extended, and a message that it split', () => {
    const ours = reduceEvents(
      opened,
      prompted('hello'),
      update(says('One part. Another.')),
      ended('end_turn'),
    );
    const reported = [userSays('<context>…</context> hello'), says('One part. ', 'a'), says('Another.', 'b')];
    expect(summary(reload(ours, ...reported))).toEqual(['hello', 'One part. Another.', 'turn_end']);
  });

  describe('recognizes a prompt with a file', () => {
    const file = {uri: 'file:///p/a%20b.ts', text: 'const one = 1;\n'};
    const link = {type: 'resource_link', name: 'a b.ts', uri: file.uri} as const;
    const resource = {type: 'resource', resource: file} as const;
    const image = {type: 'image', data: 'AAAA', mimeType: 'image/png'} as const;
    const context = `<context ref="${file.uri}">\n${file.text}\n</context>`;

    const replayed: [string, acp.ContentBlock[], Update[]][] = [
      ['whose text follows', [text('look'), resource], [userSays(`look\n[@a b.ts](${file.uri})${context}`)]],
      ['told under an id', [text('look'), resource], [userSays('look', 'u'), userSays(context, 'u')]],
      [
        'whose text is a message of its own',
        [text('look'), resource],
        [userSays('look', 'u'), userSays(context, 'v')],
      ],
      ['with two words', [text('hi'), link], [userSays(`hi [@a b.ts](${file.uri})`)]],
      ['without words', [resource], [userSays(context)]],
      [
        'that was read by a tool',
        [text('look'), link],
        [userSays('look', 'u'), userSays('Read /p/a b.ts: 1: const', 'u')],
      ],
      ['between words', [text('see '), link, text(' now')], [userSays(`see [@a b.ts](${file.uri}) now`)]],
      [
        'whose address is not encoded',
        [text('look'), {...link, uri: 'file:///p/100%.md'}],
        [userSays('look', 'u'), userSays('Read /p/100%.md: 1: all', 'v')],
      ],
      ['that is an image', [text('look'), image], [userSays('look')]],
    ];
    test.each(replayed)('%s', (_, content, reported) => {
      const ours = reduceEvents(
        opened,
        {type: 'prompt_started', turn: 1, content},
        update(says('I see.')),
        ended('end_turn'),
      );
      const once = reload(ours, ...reported, says('I see.'));
      expect(types(once)).toEqual(['user_message', 'agent_message', 'turn_end']);
      expect(only(once, 'user_message').content).toEqual(content);
      expect(types(reload(once, ...reported, says('I see.')))).toEqual(types(once));
      expect(once.entries.some(({onlyHere}) => onlyHere === true)).toBe(false);
    });
  });

  test("recognizes what the agent stores in the user's name after a cancelled turn", () => {
    const reported = [userSays('q'), says('An'), interrupted];
    expect(summary(reload(opened, ...reported))).toEqual(['q', 'An', 'Turn cancelled.']);
    const ours = reduceEvents(opened, prompted('q'), update(says('An')), ended('cancelled'));
    expect(summary(reload(ours, ...reported))).toEqual(['q', 'An', 'turn_end']);
  });

  test('recognizes two messages that the agent has joined', () => {
    const ours = reduceEvents(
      opened,
      prompted('q'),
      update(says('First part.')),
      update(thinks('hm')),
      update(says('Second part.')),
      ended('end_turn'),
    );
    expect(summary(reload(ours, userSays('q'), says('First part. Second part.')))).toEqual([
      'q',
      'First part.',
      'agent_thought',
      'Second part.',
      'turn_end',
    ]);
  });

  test('that repeats a message under its ID shows it once', () => {
    const reported = [userSays('q', 'u1'), says('Answer.', 'a1'), userSays('q', 'u1'), says('Answer.', 'a1')];
    expect(summary(reload(opened, ...reported))).toEqual(['q', 'Answer.']);
  });

  test('shows the same words twice if they were sent twice', () => {
    const reported = [userSays('yes'), says('One.'), userSays('yes'), says('Two.')];
    expect(summary(reload(opened, ...reported))).toEqual(['yes', 'One.', 'yes', 'Two.']);
  });

  test('ends what is still open in it: nothing is running', () => {
    expect(summary(reload(opened, userSays('q'), calls('t', {status: 'in_progress'})))).toEqual([
      'q',
      't cancelled',
    ]);
  });

  test('does not change how a tool call has ended', () => {
    const failed = reduceEvents(
      opened,
      prompted('q'),
      update(calls('t', {status: 'failed'})),
      ended('end_turn'),
    );
    expect(summary(reload(failed, userSays('q'), calls('t', {status: 'completed'})))).toEqual(
      summary(failed),
    );
  });

  test('shows how an interrupted tool call ended', () => {
    const cut = reduceEvents(
      opened,
      prompted('q'),
      update(calls('t', {status: 'in_progress'})),
      ended('cancelled'),
    );
    expect(summary(reload(cut, userSays('q'), calls('t', {status: 'completed'})))).toContain('t completed');
  });

  test('of nothing changes nothing', () => {
    const state = reload(conversation);
    expect(state.entries).toBe(conversation.entries);
  });

  test('restores the output of commands that were not stored, and keeps what was', () => {
    const shows = (data: string) =>
      calls('run', {
        content: [{type: 'terminal', terminalId: 'tty'}],
        _meta: {terminal_info: {terminal_id: 'tty'}, terminal_output: {terminal_id: 'tty', data}},
      });
    const replayed = reload(opened, userSays('q'), shows('from the agent'));
    expect(replayed.terminals.get('tty')?.output).toBe('from the agent');
    expect(reload(replayed, userSays('q'), shows('other')).terminals.get('tty')?.output).toBe(
      'from the agent',
    );
  });

  test('restores title, usage and commands', () => {
    const state = reload(
      opened,
      {sessionUpdate: 'session_info_update', title: 'A title'},
      {sessionUpdate: 'usage_update', used: 5, size: 10},
      {sessionUpdate: 'available_commands_update', availableCommands: [{name: 'x', description: ''}]},
    );
    expect(state).toMatchObject({title: 'A title', usage: {used: 5}, commands: [{name: 'x'}]});
  });

  test('is shown only when complete, and discarded when it fails', () => {
    const halfway = reduceEvents(conversation, {type: 'replay_started'}, update(userSays('hello')));
    expect(halfway.entries).toBe(conversation.entries);
    expect(reduceEvents(halfway, {type: 'replay_dropped'})).toEqual({...conversation, replay: undefined});
  });

  test('lets later updates find their message and their tool call', () => {
    const state = reload(opened, userSays('q'), says('Answer.', 'a1'), calls('t', {status: 'completed'}));
    const later = reduceEvents(
      state,
      prompted('more', 2),
      update(callUpdate('t', {status: 'failed'})),
      update(says('New.', 'a2')),
    );
    expect(summary(later)).toEqual(['q', 'Answer.', 't failed', 'more', 'New.']);
  });

  test('gives every entry an ID of its own, and keeps all stored ones in order', () => {
    const word = fc.constantFrom('a', 'bb', 'ccccc', 'ddddd ddd', 'yes');
    const said = fc.array(
      fc.oneof(
        word.map((words) => userSays(words)),
        word.map((words) => says(words)),
        word.map((id) => calls(id, {status: 'completed'})),
      ),
      {maxLength: 12},
    );
    fc.assert(
      fc.property(said, said, (mine, theirs) => {
        const ours = reload(opened, ...mine);
        const joined = reload(ours, ...theirs);
        const ids = joined.entries.map(({id}) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const kept = new Set(ours.entries.map(({id}) => id));
        expect(ids.filter((id) => kept.has(id))).toEqual(ours.entries.map(({id}) => id));
        // Replayed once more, there is nothing new.
        expect(reload(joined, ...theirs).entries.map(({id}) => id)).toEqual(ids);
      }),
    );
  });

  test('of 10,000 entries takes only a moment', () => {
    const many = Array.from({length: 5000}, (_, index) => [
      userSays(`question ${index}`),
      says(`answer ${index}`),
    ]).flat();
    const ours = reload(opened, ...many);
    expect(reload(ours, ...many).entries).toHaveLength(10_000);
  });
});
