import {describe, expect, test} from 'vitest';
import type {Entry, EntryType} from '../../../src/session/entries.ts';
import {commentBlocks} from '../../../src/session/content/comment-blocks.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {promptBlock} from '../../../src/session/content/pasted-text.ts';
import {rowsOfEntry} from '../../../components/transcript/entry-rows.ts';
import {cancelledStep} from '../../support/session/build.ts';
import {plainTheme} from '../../support/screen/theme.ts';

type Fields<Type extends EntryType> = Omit<Extract<Entry, {type: Type}>, 'id' | 'turn' | 'at' | 'type'>;

function drawn<Type extends EntryType>(type: Type, fields: Fields<Type>, columns = 50): string {
  const entry = {id: '1', turn: 1, at: 0, type, ...fields} as unknown as Entry;
  return rowsOfEntry(entry, plainTheme({columns})).join('\n');
}

const text = (value: string) => [{type: 'text' as const, text: value}];

describe('comments on changes', () => {
  const comment = {
    id: '1',
    path: 'src/a.ts',
    side: 'new' as const,
    line: 3,
    lastLine: 4,
    quote: ['-let busy;', '+let next;'],
    text: 'keep it',
    hunk: [],
  };
  const embeds = {promptCapabilities: {embeddedContext: true}};

  test.each([{}, embeds])('are a card; ticked when the lines have changed', (capabilities) => {
    const agent = {capabilities} as SessionState['agent'];
    const sent = (hasChanged: boolean) => {
      const blocks = commentBlocks({...comment, hasChanged}, {cwd: '/work', agent});
      const content = [...text('Comments on your changes:'), ...blocks];
      return drawn('user_message', {messageId: undefined, complete: true, content}).split('\n');
    };
    expect(sent(false)).toEqual([
      '▌ Comments on your changes:',
      '▌ ○ src/a.ts:3-4',
      '▌   -let busy;',
      '▌   +let next;',
      '▌   keep it',
    ]);
    expect(sent(true)[1]).toBe('▌ ✓ src/a.ts:3-4 · changed since');
  });
});

describe('a long text', () => {
  const lines = Array.from({length: 60}, (_, line) => `line ${line + 1}`).join('\n');
  const [comment] = commentBlocks(
    {id: '1', path: 'a.ts', side: 'new', line: 3, lastLine: 3, quote: [], text: lines, hunk: []},
    {cwd: '/work', agent: undefined},
  );
  const asked = {messageId: undefined, complete: true} as const;
  test.each([
    ['a prompt', {type: 'user_message', ...asked, content: text(lines)}],
    ['a comment', {type: 'user_message', ...asked, content: [comment!]}],
    ['the summary of a compaction', {type: 'compaction', status: 'completed', summary: text(lines)}],
    ['an unknown update', {type: 'unknown', kind: 'x', count: 1, json: lines}],
  ])(
    'of %s is folded in the chat, which says how many more and where, and whole in the full transcript',
    (_what, fields) => {
      const entry = {id: '1', turn: 1, at: 0, ...fields} as unknown as Entry;
      const rows = rowsOfEntry(entry, plainTheme({columns: 50}));
      expect(rows.at(-1)).toMatch(/… \d+ more lines · Ctrl\+O show all$/);
      expect(rows.join('\n')).not.toContain('line 60');
      for (const where of [{extent: 'whole'}, {isLinear: true}] as const) {
        const whole = rowsOfEntry(entry, plainTheme({columns: 50, ...where})).join('\n');
        for (const line of lines.split('\n')) expect(whole).toMatch(new RegExp(`${line}$`, 'm'));
      }
    },
  );

  test('that was pasted is a placeholder in the chat, and whole in the full transcript', () => {
    const content = [promptBlock(lines, [{text: lines}])];
    const rows = (extent: 'folded' | 'whole') =>
      rowsOfEntry(
        {id: '1', turn: 1, at: 0, type: 'user_message', ...asked, content},
        plainTheme({columns: 50, extent}),
      );
    expect(rows('folded')).toEqual(['▌ [Pasted text #1, 60 lines]']);
    expect(rows('whole')).toEqual(lines.split('\n').map((line) => `▌ ${line}`));
  });
});

describe('an agent message', () => {
  const content = [
    {type: 'audio' as const, mimeType: 'audio/wav', data: 'AAAA'},
    {
      type: 'resource' as const,
      resource: {uri: 'file:///work/a\u202eb.md', text: 'grün', mimeType: 'text/markdown'},
    },
    {type: 'resource_link' as const, name: 'Report', uri: 'https://example.com/r', size: 2048},
  ];
  const drawnAt = (columns: number) =>
    drawn('agent_message', {messageId: undefined, complete: true, content}, columns);

  test('has a row for each attachment, with name, type and size', () => {
    expect(drawnAt(70).split('\n')).toEqual([
      '[audio · audio/wav · 3 B] Ctrl+X o open',
      '',
      '[a⟨U+202E⟩b.md · text/markdown · 5 B] Ctrl+X o open',
      '  grün',
      '',
      '[Report · https://example.com/r · 2 KiB] Ctrl+X o open',
    ]);
  });

  test('shows embedded text, folded if it is long', () => {
    const text = Array.from({length: 30}, (_, line) => `line ${line + 1}`).join('\n');
    const long = [{type: 'resource' as const, resource: {uri: 'file:///work/a.md', text}}];
    const shown = drawn('agent_message', {messageId: undefined, complete: true, content: long}).split('\n');
    expect(shown.slice(0, 2)).toEqual(['[a.md · 230 B] Ctrl+X o open', '  line 1']);
    expect(shown.slice(-2)).toEqual(['  line 12', '  … 18 more lines · Ctrl+O show all']);
  });

  test('cuts a long path in the middle, so that the file, its size and the keys stay visible', () => {
    const uri = `file:///work/${'folder/'.repeat(20)}notes.txt`;
    const long = [{type: 'resource' as const, resource: {uri, text: 'x'}}];
    const [row] = drawn('agent_message', {messageId: undefined, complete: true, content: long}, 60).split(
      '\n',
    );
    expect(row).toMatch(/^\[folder\/.*….*\/notes\.txt · 1 B\] Ctrl\+X o open$/);
  });

  test('names the keys only if there is room', () => {
    expect(drawnAt(30).split('\n')[0]).toBe('[audio · audio/wav · 3 B]');
  });
});

describe('a user message', () => {
  test('has a bar before each of its rows', () => {
    expect(
      drawn('user_message', {messageId: undefined, complete: true, content: text('one two '.repeat(9))}),
    ).toMatchSnapshot();
  });

  test('names its attachments', () => {
    const content = [
      ...text('Look at these'),
      {type: 'image' as const, mimeType: 'image/png', data: 'A'.repeat(4000)},
      {type: 'resource_link' as const, name: 'notes.md', uri: 'file:///work/docs/notes.md', size: 2048},
      {
        type: 'resource' as const,
        resource: {uri: 'file:///work/src/a.ts', text: 'const a = 1;', mimeType: 'text/typescript'},
      },
    ];
    expect(drawn('user_message', {messageId: undefined, complete: true, content})).toMatchSnapshot();
  });

  test('is folded when it is very long, without wrapping all of it', () => {
    const lines = drawn('user_message', {
      messageId: undefined,
      complete: true,
      content: text(Array.from({length: 100_000}, (_, line) => `line ${line}`).join('\n')),
    }).split('\n');
    expect(lines).toHaveLength(41);
    expect(lines.at(-1)).toBe('▌ … 99960 more lines · Ctrl+O show all');
  });

  test('omits what is meant only for the model', () => {
    const content = [
      ...text('seen'),
      {type: 'text' as const, text: 'hidden', annotations: {audience: ['assistant' as const]}},
    ];
    expect(drawn('user_message', {messageId: undefined, complete: true, content})).toBe('▌ seen');
  });
});

describe('a thought', () => {
  const thought = text('First I look. '.repeat(30));

  test('shows its last lines while it streams', () => {
    const lines = drawn('agent_thought', {messageId: undefined, complete: false, content: thought}).split(
      '\n',
    );
    expect(lines).toHaveLength(3);
  });

  test('is one line once it is over', () => {
    expect(
      drawn('agent_thought', {messageId: undefined, complete: true, content: thought}),
    ).toMatchSnapshot();
  });
});

describe('a plan', () => {
  test('is a checklist', () => {
    expect(
      drawn('plan', {
        planId: '',
        content: {
          type: 'items',
          planId: '',
          entries: [
            {content: 'Read', priority: 'medium', status: 'completed'},
            {content: 'Change what is wrong in all of these files', priority: 'high', status: 'in_progress'},
            {content: 'Test', priority: 'low', status: 'pending'},
          ],
        },
      }),
    ).toMatchSnapshot();
  });

  test('shows a step that was cancelled, which is not urgent any more', () => {
    const entries = [cancelledStep('Drop')];
    expect(drawn('plan', {planId: '', content: {type: 'items', planId: '', entries}})).toBe('Plan\n⊘ Drop');
  });

  test('can be a file', () => {
    expect(
      drawn('plan', {planId: '', content: {type: 'file', planId: '', uri: 'file:///work/PLAN.md'}}),
    ).toContain('file:///work/PLAN.md');
    const uri = `file:///work/${'folder/'.repeat(10)}PLAN.md`;
    const rows = drawn('plan', {planId: '', content: {type: 'file', planId: '', uri}});
    expect(rows.replaceAll('\n', '')).toContain(uri);
  });
});

describe('notices and other lines', () => {
  test.each([
    ['info', '· The mode is now Ask.'],
    ['warning', '! Warning: The mode is now Ask.'],
    ['error', '✗ Error: The mode is now Ask.'],
  ] as const)('show the level %s of a notice in words', (level, line) => {
    expect(drawn('notice', {level, text: 'The mode is now Ask.', source: 'client'})).toBe(line);
  });

  test.each([
    ['in_progress', '· Compacting the context'],
    ['completed', '· Context compacted'],
    ['failed', '· Could not compact the context: no room'],
    ['cancelled', '· Compacting the context was cancelled'],
    ['something_new', '· Compacting the context: something_new'],
  ])('show a compaction that is %s', (status, lines) => {
    const error = status === 'failed' ? 'no room' : undefined;
    expect(drawn('compaction', {compactionId: '1', status, summary: [], error})).toBe(lines);
  });

  test('show a subagent with its name and its state', () => {
    expect(
      drawn('subagent', {
        sessionId: 's2',
        title: 'Reviewer',
        description: 'Reads the change',
        state: 'running',
      }),
    ).toMatchSnapshot();
  });

  test('show the sender and recipient of a message between sessions', () => {
    expect(
      drawn('session_message', {messageId: 'm', sender: 'one', recipient: 'two', content: text('Go on')}),
    ).toMatchSnapshot();
  });

  test('show an unknown update with its kind, how often it came, and the start of its JSON', () => {
    expect(
      drawn('unknown', {kind: 'fireworks', count: 3, json: `{"a":"${'x'.repeat(500)}"}`}),
    ).toMatchSnapshot();
  });
});

describe('the end of a turn', () => {
  const ended = (stopReason: 'end_turn' | 'cancelled' | 'max_tokens' | 'max_turn_requests' | 'refusal') =>
    drawn('turn_end', {summary: {turn: 1, durationMs: 3200, outcome: {kind: 'stopped', stopReason}}});

  test('shows time, tokens and cost', () => {
    expect(
      drawn('turn_end', {
        summary: {
          turn: 1,
          durationMs: 65_000,
          outcome: {kind: 'stopped', stopReason: 'end_turn'},
          usage: {totalTokens: 12_345, inputTokens: 12_000, outputTokens: 345},
          cost: {amount: 0.042, currency: 'USD'},
        },
      }),
    ).toMatchSnapshot();
  });

  test('omits the cost if nothing was spent', () => {
    const outcome = {kind: 'stopped', stopReason: 'end_turn'} as const;
    const cost = {amount: 0, currency: 'USD'};
    expect(drawn('turn_end', {summary: {turn: 1, durationMs: 3200, outcome, cost}})).toBe('3.2 s · 00:00');
  });

  test.each([
    ['cancelled', '⊘ Cancelled'],
    ['max_tokens', "! Stopped at the model's output token limit. Send"],
    ['max_turn_requests', "! Stopped at the agent's limit of model requests"],
    ['refusal', '! The agent refused to continue. This prompt and'],
  ] as const)('by %s is explained', (reason, line) => {
    expect(ended(reason).split('\n')[0]).toBe(line);
  });

  test('is not explained if normal', () => {
    expect(ended('end_turn')).toBe('3.2 s · 00:00');
  });

  test('by a failure says what failed, why, and what to do', () => {
    expect(
      drawn('turn_end', {
        summary: {
          turn: 1,
          durationMs: 900,
          outcome: {
            kind: 'failed',
            failure: {
              kind: 'connection_lost',
              exit: {code: 1, signal: null},
              stderrTail: 'Segmentation fault',
            },
          },
        },
      }),
    ).toMatchSnapshot();
  });
});

test('a failure says what happened, why, and what to do', () => {
  expect(drawn('failure', {failure: {kind: 'command_not_found', command: 'nope'}})).toMatchSnapshot();
});
