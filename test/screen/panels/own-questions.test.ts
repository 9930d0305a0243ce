import {describe, expect, test} from 'vitest';
import {permissionPanel} from '../../../components/requests/permission-request.ts';
import {defaultKeymap} from '../../../src/app/keymap/keymap.ts';
import {displayAgentName} from '../../../src/session/labels/labels.ts';
import type {PendingPermission} from '../../../src/session/state.ts';
import {call} from '../calls.ts';
import {colorTheme, plainTheme} from '../../support/screen/theme.ts';
import {linesOfPanel} from '../../support/screen/frame-of.tsx';
import {allRead, askedView} from '../shown-request.ts';

/** The frame of a request: its upper edge, and the left end of each row. */
function frame(asker: 'acp-tui' | undefined, name: string, theme = plainTheme({columns: 80})): string {
  const entry = call({title: 'Use the settings of this folder?', kind: 'other', status: 'pending'});
  const request: PendingPermission = {
    kind: 'permission',
    id: 'p',
    toolCallId: 'a',
    call: entry,
    changes: 0,
    options: [],
    askedAt: 0,
    ...(asker && {asker}),
  };
  const view = {request, view: askedView, entry, agentName: displayAgentName(name)};
  const rest = {isFocused: true, others: 0, keymap: defaultKeymap, reading: allRead, rows: 20};
  return linesOfPanel(permissionPanel({...view, ...rest}, theme), theme)[0] ?? '';
}

const NAMES = ['folder · \u0430cp-tui asks', 'acp-tui asks: Use the settings of this folder?', 'Claude'];

describe('a question of acp-tui', () => {
  test('begins with its name, where an agent has no text', () => {
    expect(frame('acp-tui', 'Claude')).toMatch(/^╭─ acp-tui asks: Use the settings of this folder\? ─+╮$/);
    for (const name of NAMES) expect(frame(undefined, name)).toMatch(/^╭─ Allow this tool call\? ─/);
  });

  test('has a frame in a color that no question of an agent has', () => {
    const color = (asker: 'acp-tui' | undefined, name: string) =>
      // eslint-disable-next-line no-control-regex
      /^\u001b\[[\d;]+m/.exec(frame(asker, name, colorTheme({columns: 80})))?.[0];
    const own = color('acp-tui', 'Claude');
    expect(own).toBeDefined();
    for (const name of NAMES) expect(color(undefined, name)).not.toBe(own);
  });

  test('has no other with its name unquoted', () => {
    expect(frame(undefined, NAMES[0]!)).toContain('"folder · \u0430cp-tui asks" ─╮');
    expect(frame(undefined, NAMES[1]!)).toContain(' "acp-tui asks:');
  });
});
