import {describe, expect, test} from 'vitest';
import {allRows} from '../../../components/layout/lazy-rows.ts';
import {rowsOfRequest, rowsOfWholeRequest} from '../../../components/requests/permission-request.ts';
import type {ToolCallEntry} from '../../../src/session/entries.ts';
import {call} from '../calls.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {hiddenLeaves} from '../shown-request.ts';

describe('what nobody decides by', () => {
  const env = {NO_COLOR: '1', TERM: 'dumb', LD_PRELOAD: './x.so'};
  const command = ['/bin/bash', '-lc', "sed -i 's/a/b/' x"];
  const rawInput = {
    command,
    call_id: 'call_1',
    turn_id: '01a2-b',
    proposed_execpolicy_amendment: ['sed', '-i', 's/a/b/', 'x'],
    parsed_cmd: [{type: 'unknown', cmd: "sed -i 's/a/b/' x"}],
    reason: 'May I?',
    env,
  };
  const shownBy = (rowsOf: typeof rowsOfRequest) => (changes: Partial<ToolCallEntry>) => {
    const entry = call({kind: 'execute', status: 'pending', ...changes});
    const request = {kind: 'permission', id: 'p', toolCallId: 'a', call: entry, changes: 0} as const;
    const asked = {...request, options: [], askedAt: 0};
    return allRows(rowsOf(asked, plainTheme({columns: 60}), entry)).join('\n');
  };
  const [whole, folded] = [shownBy(rowsOfWholeRequest), shownBy(rowsOfRequest)];

  test('is one line beside a command, with its variables that change nothing', () => {
    const shown = folded({title: 'Edit', rawInput});
    expect(shown).toContain('LD_PRELOAD');
    expect(shown).toContain('reason: May I?');
    expect(shown).not.toMatch(/call_1|NO_COLOR|unknown/);
    expect(shown.replaceAll('\n│ ┆ ', '')).toContain(
      '+ 2 variables, call_id, turn_id, proposed_execpolicy_amendment, parsed_cmd · v view',
    );
  });

  test('is shown with the whole request', () => {
    expect(hiddenLeaves(rawInput, whole({title: 'Edit', rawInput}))).toEqual([]);
    expect(whole({title: 'Edit', rawInput})).not.toContain('v view');
  });

  test.each<[string, object]>([
    ['an ID in the input of another tool', {item_id: '42'}],
    ['an ID that is none', {command: 'true', call_id: 'rm -rf / #'}],
    ['another command as the parsed one', {command: 'true', parsed_cmd: [{cmd: 'rm -rf /'}]}],
    ['a part of a word as the command line', {command: 'rm -rf /old-files', command_line: 'rm -rf /old'}],
    ['a variable with an unknown value', {command: 'true', env: {PAGER: './x'}}],
    ['a variable that the command mentions', {command: 'echo $TERM', env: {TERM: 'dumb'}}],
  ])('is not %s', (_, input) => {
    expect(hiddenLeaves(input, folded({title: 'Do', rawInput: input}))).toEqual([]);
  });

  test('is an ID beside a diff', () => {
    const content = [{type: 'diff' as const, path: '/work/x', oldText: null, newText: 'x\n'}];
    expect(folded({kind: 'edit', content, rawInput: {call_id: 'call_1'}})).toMatch(/\+ call_id · v view/);
  });
});
