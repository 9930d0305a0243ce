import {afterEach, describe, expect, test} from 'vitest';
import {asks, diff, prompt, tool} from '../../support/session/conversation.ts';
import {closeWindows, keysCount, open, shown} from '../../support/screen/window.ts';

const asked = asks({kind: 'execute', rawInput: {command: 'rm -rf build'}});
const toWrite = (newText: string) => asks({title: 'Write a file', kind: 'edit', content: [diff(newText)]});

afterEach(closeWindows);
const offering = (rule: string) => ({...toWrite('one'), rule});

describe('the answers of a request', () => {
  test('are rows with their numbers and keys, also what acp-tui adds', async () => {
    const window = open({columns: 80, rows: 24});
    const {request} = asked;
    const options = [
      {optionId: 'y', name: 'Allow', kind: 'allow_once' as const},
      {optionId: 'a', name: 'Approve for this session', kind: 'allow_always' as const},
      {optionId: 'n', name: 'Reject', kind: 'reject_once' as const},
    ];
    const change = {...offering('edit ./a.txt'), covers: ['', 'all edits', '']};
    window.report(prompt(1), {...change, request: {...request, ...change.request, options}});
    await shown(window).toMatch(
      new RegExp(
        [
          '❯ 1  y  Allow once',
          '  2  a  Allow for this session: all edits',
          '  3  p  Always allow, as a rule: edit \\./a\\.txt',
          '  4  n  Reject once',
          '  5  r  Reject and say what to do instead',
        ].join(' *│\\n│ '),
      ),
    );
    await shown(window).toContain('─ e edit first · v full view · ? why am I asked · Esc back ─');
    expect(window.store.latest().request?.rule).toBe('in its answer');
    window.press('3');
    await keysCount(window);
    window.press('3');
    await expect
      .poll(() => window.effects)
      .toContainEqual(expect.objectContaining({args: ['p', {kind: 'rule', changes: 0, key: '3'}]}));
  });

  const lasting = (names: readonly string[], covered: string) => {
    const options = names.map((name, index) => ({optionId: `${index}`, name, kind: 'allow_always' as const}));
    return {...asked, request: {...asked.request, options}, covers: names.map(() => covered)};
  };

  test.each([
    ['Yes, and auto-accept edits (allow always)', ['Yes, and auto-accept edits'], 'all edits'],
    ['Always allow', ['Always allow'], 'all edits'],
    ['Allow for this session: reads (allow always)', ['Allow for this session: reads'], 'all edits'],
    ['Allow for this session꞉ reads (allow always)', ['Allow for this session꞉ reads'], 'all edits'],
    ['Allow for this session', ['Allow for this session'], ''],
    ['Allow for this session', ['Allow for this session'], `the command ${'long '.repeat(20)}`],
    ['Approve for this session', ['Allow for this session', 'Approve for this session'], 'all edits'],
  ])('are in the words of the agent: %s', async (row, names, covered) => {
    const window = open({columns: 80, rows: 24});
    window.report(prompt(1), lasting(names, covered));
    await shown(window).toContain(`  ${row}   `);
  });

  test('show a rule that does not fit in its row above them, where it has to be read', async () => {
    const window = open({columns: 60, rows: 30});
    window.report(prompt(1), offering(`edit src/${'long/'.repeat(12)}a.txt`));
    await shown(window).toContain('2  p  Always allow, as a rule (shown above)');
    const rule = /Always allow, as a rule: edit src\/(?:long\/)+[^]*a\.txt/;
    await shown(window).toMatch(rule);
    await expect.poll(() => window.store.latest().request?.rule).toEqual({from: 3, to: 5});
  });

  test('do not take a rule as seen whose row is cut off', async () => {
    const window = open({columns: 60, rows: 8});
    window.report(prompt(1), {...asked, rule: 'execute rm -rf build'});
    await shown(window).toContain('1  y  Yes');
    await expect.poll(() => window.store.latest().request?.rule).toBe('off the screen');
    window.press('\t');
    await keysCount(window);
    window.press('p');
    await shown(window).toContain('2  p  Always allow, as a rule: execute rm -rf build');
    expect(window.effects).toEqual([]);
    await expect.poll(() => window.store.latest().request?.rule).toBe('in its answer');
    window.press('p');
    await expect.poll(() => window.effects).toHaveLength(1);
  });

  test('say why a command can get no rule', async () => {
    const window = open({columns: 80, rows: 24});
    window.report(prompt(1), {...asked, noRule: 'it is not one plain command'});
    await shown(window).toContain('No rule can be added: it is not one plain command.');
  });

  test('are asked of a plan under its name', async () => {
    const window = open({columns: 80, rows: 24});
    const content = [{type: 'content' as const, content: {type: 'text' as const, text: '1. Read it'}}];
    window.report(prompt(1), asks({title: 'Ready to code?', kind: 'switch_mode', content}));
    await shown(window).toContain('╭─ Approve this plan? ─');
  });
});

describe('the page behind ?', () => {
  test.each([
    [['', 'all edits', ''], 'This request. Also allowed until acp-tui quits: all edits.'],
    [['', '', ''], 'This request; acp-tui remembers nothing, but the agent may.'],
    [undefined, 'This request; what else is being checked.'],
    [
      Array.from({length: 3}, () => 'connections to a.b'),
      'Nothing. Also refused until the turn ends: connections to a.b.',
    ],
  ])('says what an answer covers by %j', async (covers, sentence) => {
    const options = (['allow_once', 'allow_always', 'reject_once'] as const).map((kind) => ({
      optionId: kind,
      name: kind,
      kind,
    }));
    const window = open({columns: 80, rows: 40});
    window.report(prompt(1), {...asked, request: {...asked.request, options}, ...(covers && {covers})});
    await shown(window).toContain('? why am I asked');
    window.press('?');
    await shown(window).toContain(sentence);
  });

  test.each([
    [asked, ['y', 'n', 'r', 'v'], ['a', 'p', 'e']],
    [toWrite('one'), ['y', 'n', 'r', 'e', 'v'], ['a', 'p']],
    [offering('edit ./a.txt'), ['y', 'n', 'p', 'r', 'e', 'v'], ['a']],
  ])(
    'says why, what each answer allows, and every key, on a screen of 80 by 24',
    async (request, keys, others) => {
      const window = open({columns: 80, rows: 24});
      window.report(prompt(1), tool('a', 'pending'), {...request, askedBy: '--approve none'});
      await shown(window).toContain('? why am I asked');
      window.press('?');
      await shown(window).toMatch(/Why am I asked\?[^]*nor does the level --approve none/);
      await shown(window).toMatch(/1 {2}y {2}Yes\n *This request, once\./);
      const seen = new Set<string | undefined>();
      await expect
        .poll(async () => {
          for (const [, key] of (await window.screen()).matchAll(/^[│ ]*(\S) {2,}[a-z]/gm)) seen.add(key);
          window.press('j');
          return keys.every((key) => seen.has(key));
        })
        .toBe(true);
      expect(others.filter((key) => seen.has(key))).toEqual([]);
      window.press('\x1b');
      await shown(window).toContain('? why am I asked');
    },
  );
});
