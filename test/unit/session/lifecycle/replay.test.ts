import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Update} from '../../../../src/session/events.ts';
import {INTERRUPTION} from '../../../../src/session/labels/labels.ts';
import {
  calls,
  callUpdate,
  ended,
  fold,
  only,
  opened,
  prompted,
  says,
  text,
  thinks,
  types,
  update,
} from '../build.ts';
import {account, asks, asTold, conversation, reload} from './retold.ts';

/** As the normalizer reads what Claude stores in the user's name. */
const interrupted: Update = {sessionUpdate: 'notice', severity: 'info', title: INTERRUPTION};

describe('a replay merged with the stored transcript', () => {
  test('of the same conversation changes nothing, and marks what is only stored', () => {
    expect(account(reload(conversation, ...asTold))).toEqual([
      'hello',
      'agent_thought',
      'Hi there.',
      't1 completed',
      'turn_end',
      '~something of ours',
      'go on',
      'Done.',
      'turn_end',
    ]);
  });

  test('is the conversation if nothing is stored', () => {
    expect(account(reload(opened, ...asTold))).toEqual([
      'hello',
      'Hi there.',
      't1 completed',
      'go on',
      'Done.',
    ]);
  });

  test('adds a message sent elsewhere, even if an earlier one was the same', () => {
    expect(account(reload(conversation, ...asTold, asks('once more'), says('Done.'))).slice(-3)).toEqual([
      'turn_end',
      'once more',
      'Done.',
    ]);
  });

  test('adds messages sent elsewhere, in their place', () => {
    const told = asTold.toSpliced(3, 0, asks('in between'), says('Aside.'));
    expect(account(reload(conversation, ...told, asks('later'), says('Bye.')))).toEqual([
      'hello',
      'agent_thought',
      'Hi there.',
      't1 completed',
      'turn_end',
      '~something of ours',
      'in between',
      'Aside.',
      'go on',
      'Done.',
      'turn_end',
      'later',
      'Bye.',
    ]);
  });

  test('marks a prompt that the agent never received', () => {
    expect(
      account(reload(conversation, ...asTold.slice(0, 3))).filter((words) => words.startsWith('~')),
    ).toEqual(['~something of ours', '~go on', '~Done.']);
  });

  test('recognizes a prompt that the agent extended, and a message that it split', () => {
    const ours = fold(opened, prompted('hello'), update(says('One part. Another.')), ended('end_turn'));
    const told = [asks('<context>…</context> hello'), says('One part. ', 'a'), says('Another.', 'b')];
    expect(account(reload(ours, ...told))).toEqual(['hello', 'One part. Another.', 'turn_end']);
  });

  describe('recognizes a prompt with a file', () => {
    const file = {uri: 'file:///p/a%20b.ts', text: 'const one = 1;\n'};
    const link = {type: 'resource_link', name: 'a b.ts', uri: file.uri} as const;
    const resource = {type: 'resource', resource: file} as const;
    const image = {type: 'image', data: 'AAAA', mimeType: 'image/png'} as const;
    const context = `<context ref="${file.uri}">\n${file.text}\n</context>`;

    const retold: [string, acp.ContentBlock[], Update[]][] = [
      ['whose text follows', [text('look'), resource], [asks(`look\n[@a b.ts](${file.uri})${context}`)]],
      ['told under an id', [text('look'), resource], [asks('look', 'u'), asks(context, 'u')]],
      [
        'whose text is a message of its own',
        [text('look'), resource],
        [asks('look', 'u'), asks(context, 'v')],
      ],
      ['with two words', [text('hi'), link], [asks(`hi [@a b.ts](${file.uri})`)]],
      ['without words', [resource], [asks(context)]],
      [
        'that was read by a tool',
        [text('look'), link],
        [asks('look', 'u'), asks('Read /p/a b.ts: 1: const', 'u')],
      ],
      ['between words', [text('see '), link, text(' now')], [asks(`see [@a b.ts](${file.uri}) now`)]],
      ['that is an image', [text('look'), image], [asks('look')]],
    ];
    test.each(retold)('%s', (_, content, told) => {
      const ours = fold(
        opened,
        {type: 'prompt_started', turn: 1, content},
        update(says('I see.')),
        ended('end_turn'),
      );
      const once = reload(ours, ...told, says('I see.'));
      expect(types(once)).toEqual(['user_message', 'agent_message', 'turn_end']);
      expect(only(once, 'user_message').content).toEqual(content);
      expect(types(reload(once, ...told, says('I see.')))).toEqual(types(once));
      expect(once.entries.some(({onlyHere}) => onlyHere === true)).toBe(false);
    });
  });

  test("recognizes what the agent stores in the user's name after a cancelled turn", () => {
    const told = [asks('q'), says('An'), interrupted];
    expect(account(reload(opened, ...told))).toEqual(['q', 'An', 'Turn cancelled.']);
    const ours = fold(opened, prompted('q'), update(says('An')), ended('cancelled'));
    expect(account(reload(ours, ...told))).toEqual(['q', 'An', 'turn_end']);
  });

  test('recognizes two messages that the agent has joined', () => {
    const ours = fold(
      opened,
      prompted('q'),
      update(says('First part.')),
      update(thinks('hm')),
      update(says('Second part.')),
      ended('end_turn'),
    );
    expect(account(reload(ours, asks('q'), says('First part. Second part.')))).toEqual([
      'q',
      'First part.',
      'agent_thought',
      'Second part.',
      'turn_end',
    ]);
  });

  test('that repeats a message under its ID shows it once', () => {
    const told = [asks('q', 'u1'), says('Answer.', 'a1'), asks('q', 'u1'), says('Answer.', 'a1')];
    expect(account(reload(opened, ...told))).toEqual(['q', 'Answer.']);
  });

  test('shows the same words twice if they were sent twice', () => {
    const told = [asks('yes'), says('One.'), asks('yes'), says('Two.')];
    expect(account(reload(opened, ...told))).toEqual(['yes', 'One.', 'yes', 'Two.']);
  });

  test('ends what is still open in it: nothing is running', () => {
    expect(account(reload(opened, asks('q'), calls('t', {status: 'in_progress'})))).toEqual([
      'q',
      't cancelled',
    ]);
  });

  test('shows how an interrupted tool call ended', () => {
    const cut = fold(opened, prompted('q'), update(calls('t', {status: 'in_progress'})), ended('cancelled'));
    expect(account(reload(cut, asks('q'), calls('t', {status: 'completed'})))).toContain('t completed');
  });

  test('of nothing changes nothing', () => {
    const state = reload(conversation);
    expect(state.entries).toBe(conversation.entries);
    expect(state.rearranged).toBe(conversation.rearranged);
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
    const halfway = fold(conversation, {type: 'replay_started'}, update(asks('hello')));
    expect(halfway.entries).toBe(conversation.entries);
    expect(fold(halfway, {type: 'replay_dropped'})).toEqual({...conversation, replay: undefined});
  });

  test('lets later updates find their message and their tool call', () => {
    const state = reload(opened, asks('q'), says('Answer.', 'a1'), calls('t', {status: 'completed'}));
    const later = fold(
      state,
      prompted('more', 2),
      update(callUpdate('t', {status: 'failed'})),
      update(says('New.', 'a2')),
    );
    expect(account(later)).toEqual(['q', 'Answer.', 't failed', 'more', 'New.']);
  });

  test('gives every entry an ID of its own, and keeps all stored ones in order', () => {
    const word = fc.constantFrom('a', 'bb', 'ccccc', 'ddddd ddd', 'yes');
    const said = fc.array(
      fc.oneof(
        word.map((words) => asks(words)),
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
      asks(`question ${index}`),
      says(`answer ${index}`),
    ]).flat();
    const ours = reload(opened, ...many);
    const started = performance.now();
    expect(reload(ours, ...many).entries).toHaveLength(10_000);
    // Quadratic work would take minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
