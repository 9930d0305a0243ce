import {expect, test} from 'vitest';
import {openWindow} from '../../../../support/window/app-window.ts';

test('a command that acp-tui runs is stopped from the list of what runs', () => {
  const window = openWindow();
  window.agent({type: 'terminal_created', terminalId: 't', command: 'npm test', cwd: '/', pty: true});
  window.press('ctrl+x', 't', 'delete');
  expect(window.called('stopCommand')).toEqual([['t']]);
  expect(window.state.toast?.text).toBe('Cancelling npm test');
});

test('a tool call that cannot be cancelled alone is not', () => {
  const window = openWindow();
  window.type('go');
  window.press('enter');
  window.update({sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Index', status: 'in_progress'});
  window.press('ctrl+x', 't', 'delete');
  expect(window.called('cancelTask')).toEqual([]);
  expect(window.state.toast?.text).toBe('The agent cannot cancel this alone; Esc cancels the turn.');
});

test('the list of what runs is not opened if nothing does', () => {
  const window = openWindow();
  window.press('ctrl+x', 't');
  expect(window.state.overlay.kind).toBe('none');
  expect(window.state.toast?.text).toBe('Nothing runs in this session.');
});
