import {describe, expect, test} from 'vitest';
import {mcpPicker, serverSwitchNotice, withRows} from '../../../../../src/app/pickers/mcp-picker.ts';
import {initialSession} from '../../../../../src/session/initial.ts';
import type {SessionState} from '../../../../../src/session/state.ts';
import {serversChanged, type McpServerRow} from '../../../../../src/session/lifecycle/mcp-servers.ts';

import {openWindow} from '../../../../support/window/app-window.ts';

const session = {
  ...initialSession({cwd: '/', additionalDirectories: [], at: 0}),
  mcpServers: ['files', 'gone'],
};
const row = (name: string, next: McpServerRow['next']): McpServerRow => ({
  name,
  transport: 'stdio',
  from: '.mcp.json',
  what: `${name} --serve`,
  next,
});

describe('the list of MCP servers', () => {
  test.each([
    ['files', 'on', 'on, start not confirmed · stdio · .mcp.json'],
    ['files', 'off', 'on, start not confirmed; next session: off · stdio · .mcp.json'],
    ['other', 'on', 'off; next session: on · stdio · .mcp.json'],
    ['other', 'off', 'off · stdio · .mcp.json'],
    ['other', {leftOut: 'X is not set'}, 'skipped: X is not set · stdio · .mcp.json'],
    [
      'files',
      {leftOut: 'X is not set'},
      'on, start not confirmed; next session: skipped, X is not set · stdio · .mcp.json',
    ],
  ] as const)('says of %s that is to be %j: %s', (name, next, description) => {
    expect(mcpPicker([row(name, next)], session).items).toEqual([
      {id: name, label: name, description, preview: `${name} --serve`},
    ]);
  });

  test('says who starts the servers', () => {
    const noteOf = (ownServers: SessionState['ownServers']) => mcpPicker([], {...session, ownServers}).note;
    expect(noteOf(undefined)).toContain('is confirmed only when its tools are used');
    expect(noteOf({files: 'started'})).toContain('is confirmed only when its tools are used');
    expect(noteOf({files: 'unused', gone: 'failed'})).toContain('acp-tui starts a server when');
  });

  test('says where to add servers when there are none', () => {
    expect(mcpPicker([], session).items[0]?.disabled).toContain('Add servers in config.json');
  });

  test('keeps its position when the state changes', () => {
    const picker = {...mcpPicker([row('a', 'on'), row('b', 'on')], session), selected: 1};
    const changed = withRows(picker, [row('a', 'on'), row('b', 'off')], session);
    expect(changed.selected).toBe(1);
    expect(changed.items[1]?.description).toMatch(/^off/);
  });
});

test.each([
  ['off', 'a is off from the next session; /new starts one.'],
  ['on', 'a is on from the next session; /new starts one.'],
  [{leftOut: 'X is not set'}, 'a is on, but will be skipped: X is not set.'],
] as const)('switching to %j is reported', (next, reported) => {
  expect(serverSwitchNotice(row('a', next))).toBe(reported);
});

test.each([
  [undefined, ['a'], undefined],
  [['a'], ['a'], undefined],
  [['a'], ['a', 'b', 'c'], 'b, c are new.'],
  [['a', 'b'], ['b'], 'a is removed.'],
  [['a'], ['b'], 'b is new; a is removed.'],
])('servers %j that are currently %j: %s', (before, now, reported) => {
  const text = serversChanged(before, now);
  expect(text?.replace(/^.*: /, '')).toBe(reported);
});

describe('in the list', () => {
  function listing(...rows: readonly McpServerRow[]) {
    const window = openWindow();
    window.say('/mcp');
    const overlay = {kind: 'picker', picker: mcpPicker(rows, session)} as const;
    window.dispatch({type: 'overlay_opened', overlay});
    return window;
  }
  const switches = (window: ReturnType<typeof openWindow>) =>
    window.performed('switch_mcp').map(({name}) => name);

  test('/mcp loads the servers', () => {
    expect(listing().performed('show_mcp')).toHaveLength(1);
  });

  test('Space and Enter switch the selected server, and the list stays', () => {
    const window = listing(row('a', 'on'), row('b', 'on'));
    window.press('down');
    window.press('space');
    window.press('enter');
    expect(switches(window)).toEqual(['b', 'b']);
    expect(window.state.overlay.kind).toBe('picker');
  });

  test('typing filters, and a match can be switched', () => {
    const window = listing(row('alpha', 'on'), row('beta', 'on'));
    window.type('bet');
    window.press('enter');
    expect(switches(window)).toEqual(['beta']);
  });

  test('nothing is switched without a server or a match', () => {
    const none = listing();
    none.press('space');
    const unfound = listing(row('a', 'on'));
    unfound.type('zzz');
    unfound.press('enter');
    expect([...switches(none), ...switches(unfound)]).toEqual([]);
  });

  test('Escape closes it', () => {
    const window = listing(row('a', 'on'));
    window.press('escape');
    expect(window.state.overlay.kind).toBe('none');
  });
});
