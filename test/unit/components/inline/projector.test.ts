import {describe, expect, test} from 'vitest';
import type {Chunk} from '../../../../components/chunks/chunks.ts';
import {createProjector} from '../../../../components/inline/projector.ts';
import {leastCpuTimeOf} from '../../../support/cpu-time.ts';
import {update} from '../../../support/session/build.ts';
import {
  conversation,
  ended,
  chunkSummary,
  names,
  prompt,
  says,
  thinks,
  tool,
} from '../../../support/session/conversation.ts';

describe('what is printed', () => {
  test('includes a prompt at once', () => {
    const {committed, live} = conversation().report(prompt(1));
    expect(names(committed)).toEqual(['user_message']);
    expect(live).toEqual([]);
  });

  test('includes a message, live until it is complete, when the turn ends', () => {
    const talk = conversation();
    expect(names(talk.report(prompt(1), says('Hello')).live)).toEqual(['Hello']);
    const {committed, live} = talk.report(says(' there'), ended(1));
    expect(names(committed)).toEqual(['user_message', 'Hello there', 'turn_end']);
    expect(live).toEqual([]);
  });

  test('has no blank row above the end of a turn, except above a failure', () => {
    const failure = {kind: 'connection_lost', exit: undefined, stderrTail: ''} as const;
    const ends = [ended(1), {type: 'prompt_ended', turn: 1, outcome: {kind: 'failed', failure}}] as const;
    const gaps = ends.map(
      (end) => conversation().report(prompt(1), says('Hello'), end).committed.at(-1)?.gap,
    );
    expect(gaps).toEqual([false, true]);
  });

  test('includes a tool call, live while it runs, when it is done', () => {
    const talk = conversation();
    expect(names(talk.report(prompt(1), tool('a', 'in_progress')).live)).toEqual(['tool a in_progress']);
    const {committed, live} = talk.report(tool('a', 'completed'));
    expect(names(committed)).toEqual(['user_message', 'tool a completed']);
    expect(live).toEqual([]);
  });

  test('waits for a running tool call before it, so that the order is kept', () => {
    const talk = conversation();
    const {committed, live} = talk.report(prompt(1), tool('a', 'in_progress'), tool('b', 'completed'));
    expect(names(committed)).toEqual(['user_message']);
    expect(names(live)).toEqual(['tool a in_progress', 'tool b completed']);
    expect(names(talk.report(tool('a', 'completed')).committed)).toEqual([
      'user_message',
      'tool a completed',
      'tool b completed',
    ]);
  });

  const look = (toolCallId: string, status: 'in_progress' | 'completed' | 'failed' = 'completed') =>
    update({sessionUpdate: 'tool_call', toolCallId, title: toolCallId, kind: 'read', status});

  test('includes consecutive reads and searches, live until something else arrives, as one row', () => {
    const talk = conversation();
    const looking = talk.report(prompt(1), look('a'), look('b'), look('c', 'in_progress'));
    expect(names(looking.committed)).toEqual(['user_message']);
    expect(names(looking.live)).toEqual(['a completed', 'b completed', 'c in_progress']);
    expect(names(talk.report(look('c')).live)).toHaveLength(3);
    expect(names(talk.report(says('Found.')).committed)).toEqual(['user_message', 'looks a, b, c']);
  });

  test('includes a long run of reads in rows of many, although more may follow', () => {
    const talk = conversation();
    talk.report(prompt(1));
    for (let number = 1; number <= 45; number++) talk.report(look(String(number)));
    const numbers = (from: number, to: number) =>
      Array.from({length: to - from + 1}, (_, index) => from + index).join(', ');
    expect(names(talk.report(says('Found.')).committed)).toEqual([
      'user_message',
      `looks ${numbers(1, 19)}`,
      `looks ${numbers(20, 39)}`,
      `looks ${numbers(40, 45)}`,
    ]);
  });

  test.each([
    ['two', [look('a'), look('b')], ['a completed', 'b completed']],
    [
      'those around a failed one',
      [look('a'), look('b'), look('c', 'failed'), look('d')],
      ['a completed', 'b completed', 'c failed', 'd completed'],
    ],
  ])('includes %s as a row each', (_, looks, printed) => {
    const {committed} = conversation().report(prompt(1), ...looks, ended(1));
    expect(names(committed)).toEqual(['user_message', ...printed, 'turn_end']);
  });

  test('includes a running tool call as it is when the screen gets too small, and its end later', () => {
    const talk = conversation({liveRows: 2});
    const crowded = talk.report(
      prompt(1),
      tool('a', 'in_progress'),
      tool('b', 'completed'),
      tool('c', 'completed'),
    );
    expect(names(crowded.committed)).toEqual([
      'user_message',
      'tool a in_progress',
      'tool b completed',
      'tool c completed',
    ]);
    expect(names(talk.report(tool('a', 'failed')).committed).at(-1)).toBe('end of tool a: failed');
  });

  test('includes the paragraphs of an open message once when the screen gets too small', () => {
    const notice = (text: string) => ({type: 'notice', level: 'info', text}) as const;
    const talk = conversation({liveRows: 2});
    talk.report(prompt(1), says('One\n\nTwo\n\nThr'), notice('a'), notice('b'), notice('c'));
    const {committed} = talk.report(says('ee'), ended(1));
    const printed = ['user_message', 'One', 'Two', 'Thr', 'notice', 'notice', 'notice', 'ee', 'turn_end'];
    expect(names(committed)).toEqual(printed);
  });

  test('goes on with an open code block where other things came between', () => {
    const notice = {type: 'notice', level: 'info', text: 'a'} as const;
    const talk = conversation({liveRows: 2});
    talk.report(prompt(1), says('```py\ndef f():\n'), notice, notice, notice);
    const {committed} = talk.report(says('    # x\n```\n\n# Next'), ended(1));
    const blocks = committed.flatMap(({chunk, gap}) =>
      chunk.kind === 'block' ? [{...chunk.block, gap}] : [],
    );
    expect(blocks).toMatchObject([
      {kind: 'code', gap: true},
      {kind: 'code', source: '    # x\n```\n', gap: true},
      {kind: 'markdown', gap: true},
    ]);
  });

  test('includes a call with a request when it has ended, after what came meanwhile, and splits no message', () => {
    const isAsked = (piece: Chunk) => chunkSummary(piece).startsWith('tool a');
    const talk = conversation({liveRows: 2, isAsked});
    const asking = talk.report(
      prompt(1),
      tool('a', 'pending'),
      tool('b', 'completed'),
      says('One'),
      says(' two'),
    );
    expect(names(asking.committed)).toEqual(['user_message', 'tool b completed']);
    expect(names(asking.live)).toEqual(['One two', 'tool a pending']);
    const {committed} = talk.report(tool('a', 'completed'), ended(1));
    expect(names(committed)).toEqual([
      'user_message',
      'tool b completed',
      'One two',
      'tool a completed',
      'turn_end',
    ]);
  });

  test('includes a cancelled tool call when the turn ends, since it may still complete', () => {
    const talk = conversation();
    talk.report(prompt(1), tool('a', 'in_progress'));
    const cancelling = talk.report({type: 'cancel_requested'});
    expect(names(cancelling.live)).toEqual(['tool a cancelled']);
    const {committed} = talk.report(tool('a', 'completed'), ended(1, 'cancelled'));
    expect(names(committed)).toEqual(['user_message', 'tool a completed', 'turn_end']);
  });

  test('adds a line for a tool call that fails after it was printed as done', () => {
    const talk = conversation();
    talk.report(prompt(1), tool('a', 'completed'));
    expect(names(talk.report(tool('a', 'failed')).committed)).toEqual([
      'user_message',
      'tool a completed',
      'end of tool a: failed',
    ]);
  });

  test('does not repeat what a rejection removes from the conversation', () => {
    const talk = conversation();
    talk.report(prompt(1), tool('a', 'completed'), says('No'));
    expect(names(talk.report(ended(1, 'refusal')).committed)).toEqual([
      'user_message',
      'tool a completed',
      'No',
      'turn_end',
    ]);
  });

  test('adds late text of a printed message after it', () => {
    const talk = conversation();
    talk.report(prompt(1), says('One', 'm'), tool('a', 'completed'));
    const {committed} = talk.report(says('Two', 'm'), ended(1));
    expect(names(committed)).toEqual(['user_message', 'One', 'tool a completed', 'Two', 'turn_end']);
  });

  test('ends a thought when something else begins', () => {
    const talk = conversation();
    const {committed} = talk.report(prompt(1), thinks('Hm'), says('Well'));
    expect(committed.at(-1)?.chunk).toMatchObject({kind: 'entry', endedAt: 1_004_000});
  });

  test('keeps an image between the text of its message', () => {
    const talk = conversation();
    const picture = update({
      sessionUpdate: 'agent_message_chunk',
      content: {type: 'image', mimeType: 'image/png', data: 'AAAA'},
    });
    const {committed} = talk.report(prompt(1), says('Before'), picture, says('After'), ended(1));
    expect(names(committed)).toEqual(['user_message', 'Before', 'image', 'After', 'turn_end']);
  });
});

describe('flushes', () => {
  const many = Array.from({length: 25}, (_, index) => tool(String(index), 'completed'));

  test('print as many pieces at once as time allows, at least one, the rest with the next flushes', () => {
    let left = 9;
    const talk = conversation({hasTime: () => left-- > 0});
    const first = talk.report(prompt(1), ...many);
    expect(first.committed).toHaveLength(10);
    expect(talk.report().committed).toHaveLength(11);
    left = 1000;
    expect(first.waiting).toBe(true);
    expect(talk.settle().committed).toHaveLength(26);
    expect(talk.settle().waiting).toBe(false);
  });

  test('print fewer tall pieces at once', () => {
    const talk = conversation({heightOf: () => 250});
    expect(talk.report(prompt(1), ...many).committed).toHaveLength(3);
  });

  test('do not draw waiting pieces as live meanwhile', () => {
    const {live} = conversation({hasTime: () => false}).report(prompt(1), ...many, says('Now'));
    expect(names(live)).toEqual(['Now']);
  });

  test('hold back pieces after one that cannot be printed yet', () => {
    let isLoaded = false;
    const talk = conversation({canPrint: (piece) => isLoaded || piece.kind !== 'block'});
    const held = talk.report(prompt(1), says('Hello'), ended(1));
    expect(names(held.committed)).toEqual(['user_message']);
    // It is usually there by the next flush.
    expect(held).toMatchObject({live: [], waiting: true});
    const still = talk.report();
    expect(still.waiting).toBe(false);
    expect(names(still.live)).toEqual(['Hello', 'turn_end']);
    isLoaded = true;
    expect(names(talk.settle().committed)).toEqual(['user_message', 'Hello', 'turn_end']);
  });
});

describe('a replay', () => {
  // Agents add IDs in a replay.
  const asks = (text: string) =>
    update({sessionUpdate: 'user_message_chunk', messageId: `u ${text}`, content: {type: 'text', text}});
  const session = {sessionId: 's', cwd: '/work', additionalDirectories: []};

  test('prints only what was not on the screen, followed by what comes after it', () => {
    const talk = conversation();
    talk.report(prompt(1), says('One.'), ended(1), prompt(2, 'more'), says('Two.'), ended(2));
    const before = names(talk.settle().committed);
    talk.report(
      {type: 'replay_started'},
      asks('go'),
      says('One.', 'm1'),
      asks('more'),
      says('Two.', 'm3'),
      asks('aside'),
      says('Aside.', 'm2'),
      {type: 'session_opened', how: 'load', session},
    );
    expect(names(talk.settle().committed)).toEqual([...before, 'user_message', 'Aside.']);
    talk.report(prompt(3), says('Three.'), ended(3));
    expect(names(talk.settle().committed).slice(before.length + 2)).toEqual([
      'user_message',
      'Three.',
      'turn_end',
    ]);
  });
});

/** The processor time of printing tool calls that began and ended at once. */
function printing(count: number): number {
  const ids = Array.from({length: count}, (_call, index) => String(index));
  const talk = conversation({hasTime: () => false});
  talk.report(prompt(1), ...ids.map((id) => tool(id, 'pending')));
  const begun = talk.session();
  talk.report(...ids.map((id) => tool(id, 'completed')));
  const over = talk.session();
  const limits = {
    heightOf: () => 1,
    liveRows: 20,
    pageRows: 20,
    isAsked: () => false,
    canPrint: () => true,
    hasTime: () => true,
  };
  return leastCpuTimeOf(() => {
    const projector = createProjector();
    projector.update(begun, limits);
    while (projector.update(over, limits).waiting);
  });
}

test('printing many tool calls takes linear time', () => {
  const few = printing(1000);
  expect(printing(8000)).toBeLessThan(few * 24);
});
