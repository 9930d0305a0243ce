import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {createPaint} from '../../../components/theme/paint.ts';
import {rowsOfToolCall} from '../../../components/tool-call/tool-call.ts';
import {findTheme} from '../../../src/app/themes/themes.ts';
import type {TerminalState} from '../../../src/session/state.ts';
import {call, card, terminal} from '../calls.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {IdMap} from '../../../src/session/terminals/id-map.ts';

describe('a command with a terminal screen', () => {
  const content = [{type: 'terminal' as const, terminalId: 't'}];
  const numbered = (count: number) => Array.from({length: count}, (_, line) => [{text: `row ${line + 1}`}]);

  test('shows the end of its screen, and counts the lines above, kept or not', () => {
    const shown = card({title: 'npm test', content}, [
      terminal({screen: {rows: numbered(30), dropped: 70}, exit: {code: 0, signal: null}}),
    ]);
    expect(shown.split('\n').slice(1, 3)).toEqual(['  │ … 88 earlier lines · Ctrl+O show all', '  │ row 19']);
    expect(shown.split('\n').at(-1)).toBe('  │ row 30');
  });

  test('shows all kept lines in the transcript viewer, and counts the rest', () => {
    const terminals = IdMap.from([
      terminal({screen: {rows: numbered(30), dropped: 70}, exit: {code: 0, signal: null}}),
    ]);
    const drawn = rowsOfToolCall(
      call({title: 'npm test', content}),
      plainTheme({terminals, extent: 'whole'}),
    );
    expect(drawn.slice(1)).toEqual([
      '  │ … 70 earlier lines · not kept',
      ...Array.from({length: 30}, (_, line) => `  │ row ${line + 1}`),
    ]);
  });

  test('shows its command and output once if its agent sends both as texts, too', () => {
    const words = (text: string) => ({type: 'content' as const, content: {type: 'text' as const, text}});
    const texts = [
      words('$ npm test'),
      words('row 1\n'),
      ...content,
      words('row 1'),
      words('Wall time: 2 s'),
    ];
    const run = terminal({command: '/bin/bash -l -c npm test', output: 'row 1\nrow 2\n'});
    const title = '$ npm test';
    const fields = {title, content: texts, kind: 'execute' as const, rawInput: {command: 'npm test'}};
    const shown = (screen?: TerminalState['screen']) =>
      card(fields, [{...run, screen, exit: {code: 0, signal: null}}]);
    expect(shown({rows: numbered(2), dropped: 0}).match(/row 1/g)).toHaveLength(1);
    expect(shown().match(/row 1/g)).toHaveLength(1);
    expect(shown()).toContain('Wall time');
    expect(card(fields).match(/row 1/g)).toHaveLength(2);
    const other = {...fields, content: [words('1'), words('row 1\nnot printed\nrow 2'), ...content]};
    expect(card(other, [run])).toMatch(/│ 1\n.*│ not printed/s);
  });

  test('offers to stop it while it runs, and to type into it when it waits for input', () => {
    const screen = {rows: [[{text: 'Name? '}]], dropped: 0};
    const lastLines = (changes: Partial<TerminalState>, status: acp.ToolCallStatus = 'in_progress') =>
      card({title: 'npm init', content, status}, [terminal({screen, ...changes})])
        .split('\n')
        .slice(3);
    expect(lastLines({})).toEqual(['  │ Ctrl+X k stop']);
    expect(lastLines({awaitsInput: true}).join(' ').replaceAll(/[ │]+/g, ' ')).toBe(
      ' May be waiting for input · Ctrl+X i type into it · Ctrl+X k stop',
    );
    expect(lastLines({exit: {code: 0, signal: null}})).toEqual([]);
    expect(lastLines({runBy: 'agent'})).toEqual([]);
    // Its end may be unknown when the call is over, as when the agent is gone.
    expect(lastLines({}, 'failed')).toEqual([]);
  });

  test("shows its colors in acp-tui's own sequences", () => {
    const paint = createPaint(findTheme('dark'), {level: 2, emphasis: true, hyperlinks: false});
    const row = [{text: 'ok', style: {foreground: 2, bold: true as const}}];
    const terminals = IdMap.from([terminal({screen: {rows: [row], dropped: 0}})]);
    const drawn = rowsOfToolCall(call({title: 'npm test', content}), {...plainTheme({terminals}), paint});
    expect(drawn[1]).toBe(`  ${paint.line('│')} \x1b[38;5;2m\x1b[1mok\x1b[22m\x1b[39m`);
  });
});

test('a write that the sandbox refused is named under its card, with the path as text', () => {
  const drawn = card({kind: 'execute', status: 'failed', refusedWrites: ['/etc/x', '/usr/\u001B[31my']});
  expect(drawn.replace(/\s+/g, ' ')).toContain(
    'Outside the sandbox: /etc/x, /usr/y. /sandbox shows what is allowed.',
  );
});
