import type {SessionConfigOption} from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {statusLine} from '../../../../../src/app/status/status-line.ts';
import {openWindow, type TestWindow} from '../../../../support/window/app-window.ts';

const claude = [
  ['default', 'Default'],
  ['acceptEdits', 'Accept Edits'],
  ['bypassPermissions', 'Bypass Permissions'],
].map(([id = '', name = '']) => ({id, name}));

const allowAll = {type: 'boolean' as const, id: 'allow_all', name: 'Allow all', currentValue: false};

function withModes(availableModes = claude, currentModeId = availableModes[0]!.id): TestWindow {
  const window = openWindow();
  const modes = {availableModes, currentModeId};
  const session = {sessionId: 's2', cwd: '/project', additionalDirectories: [], modes};
  window.agent({type: 'session_opened', how: 'new', session});
  return window;
}

const wanted = (window: TestWindow) => window.called('setMode').flat();
const pickerOf = ({state: {overlay}}: TestWindow) => (overlay.kind === 'picker' ? overlay.picker : undefined);

describe('Shift+Tab', () => {
  test('skips a mode in which the agent stops asking, and says where it is', () => {
    const window = withModes(claude, 'acceptEdits');
    window.press('shift+tab');
    expect(wanted(window)).toEqual(['default']);
    window.agent({type: 'mode_set', modeId: 'default'});
    expect(window.state.toast?.text).toBe('Mode: Default. Skipped Bypass Permissions; /mode lists it.');
  });

  test('does nothing if only such a mode is left', () => {
    const window = withModes([claude[0]!, claude[2]!]);
    window.press('shift+tab');
    expect(wanted(window)).toEqual([]);
    expect(window.state.toast?.text).toBe('Skipped Bypass Permissions; /mode lists it.');
  });

  test.each(['/mode default', 'the agent itself'])('alone skips: not %s', (how) => {
    const window = withModes(claude, 'acceptEdits');
    if (how.startsWith('/')) window.say(how);
    window.agent({type: 'mode_set', modeId: 'default'});
    expect(window.state.toast?.text).toBe('Mode: Default.');
  });

  test('leaves such a mode', () => {
    const window = withModes(claude, 'bypassPermissions');
    window.press('shift+tab');
    expect(wanted(window)).toEqual(['default']);
  });
});

describe('a mode in which the agent stops asking', () => {
  test.each([
    ['/mode bypassPermissions', []],
    ['/mode', ['end', 'enter']],
  ])('requires a confirmation: %s', (said, keys) => {
    const window = withModes();
    window.say(said);
    window.press(...keys);
    expect(wanted(window)).toEqual([]);
    expect(pickerOf(window)).toMatchObject({
      title: 'Switch to Bypass Permissions?',
      note: expect.stringContaining('without permission requests') as string,
    });
    window.press('enter');
    expect(wanted(window)).toEqual([]);
    expect(window.state.overlay.kind).toBe('none');
    window.say('/mode bypassPermissions');
    window.press('down', 'enter');
    expect(wanted(window)).toEqual(['bypassPermissions']);
  });

  test('is a warning in the status line, even when the agent enters it by itself', () => {
    const window = withModes();
    expect(statusLine(window.state, window.now)).toMatchObject({mode: 'Default', unattended: undefined});
    window.update({sessionUpdate: 'current_mode_update', currentModeId: 'bypassPermissions'});
    expect(statusLine(window.state, window.now)).toMatchObject({
      mode: undefined,
      unattended: 'Bypass Permissions',
    });
    expect(window.open.session.entries.at(-1)).toMatchObject({type: 'notice', level: 'warning'});
  });
});

describe('an option that the agent changes by itself', () => {
  const option = (currentValue: string, values: readonly (readonly [string, string?])[]) => ({
    type: 'select' as const,
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    currentValue,
    options: values.map(([value, description]) => ({value, name: value, ...(description && {description})})),
  });
  const noticed = (before: readonly SessionConfigOption[], now: readonly SessionConfigOption[]) => {
    const window = openWindow();
    window.agent({type: 'config_options_set', configOptions: [...before]});
    window.update({sessionUpdate: 'config_option_update', configOptions: [...now]});
    return window.open.session.entries.at(-1);
  };
  const modes = [
    ['default', 'Always asks'],
    ['auto', 'A classifier decides'],
    ['bypassPermissions'],
  ] as const;

  test.each([
    ['no longer asks', 'auto', 'bypassPermissions', 'warning'],
    ['asks less', 'default', 'auto', 'warning'],
    ['asks more', 'bypassPermissions', 'auto', 'info'],
  ])('is reported as loudly as a mode: the agent %s', (_, before, now, level) => {
    expect(noticed([option(before, modes)], [option(now, modes)])).toMatchObject({
      text: `Mode changed to ${now}.`,
      level,
    });
  });

  test.each([
    ['turned on', [allowAll], 'Allow all changed to on.'],
    ['new, and on', [], 'Allow all now available: on.'],
  ])('is a warning if it stops the agent from asking: %s', (_, before, text) => {
    expect(noticed(before, [{...allowAll, currentValue: true}])).toMatchObject({text, level: 'warning'});
  });
});

test('modes beside options of other categories have their keys, commands and warning', () => {
  const window = withModes();
  window.agent({type: 'config_options_set', configOptions: [allowAll]});
  window.press('shift+tab');
  window.say('/mode default');
  expect(wanted(window)).toEqual(['acceptEdits', 'default']);
  window.agent({type: 'mode_set', modeId: 'bypassPermissions'});
  expect(statusLine(window.state, window.now).unattended).toBe('Bypass Permissions');
});

describe('an option that makes the agent stop asking', () => {
  test.each([
    ['/config allow_all on', []],
    ['/config', ['enter']],
  ])('requires a confirmation: %s', (said, keys) => {
    const window = openWindow();
    const session = {sessionId: 's2', cwd: '/project', additionalDirectories: [], configOptions: [allowAll]};
    window.agent({type: 'session_opened', how: 'new', session});
    window.say(said);
    window.press(...keys);
    expect(window.called('setConfigOption')).toEqual([]);
    expect(pickerOf(window)?.title).toBe('Switch to Allow all?');
    window.press('down', 'enter');
    expect(window.called('setConfigOption')).toEqual([['allow_all', true]]);
    window.agent({type: 'config_options_set', configOptions: [{...allowAll, currentValue: true}]});
    expect(statusLine(window.state, window.now).unattended).toBe('Allow all');
    window.say('/config allow_all off');
    expect(window.called('setConfigOption').at(-1)).toEqual(['allow_all', false]);
  });
});

describe('a mode in which the agent asks less', () => {
  const modes = [
    {id: 'ask', name: 'Ask', description: 'Always asks before making changes'},
    {id: 'auto', name: 'Auto', description: 'An LLM classifier auto-approves safe actions'},
  ];

  test('is a warning in the status line', () => {
    const window = withModes(modes, 'auto');
    expect(statusLine(window.state, window.now)).toMatchObject({mode: undefined, unattended: 'Auto'});
    window.agent({type: 'mode_set', modeId: 'ask'});
    expect(statusLine(window.state, window.now)).toMatchObject({mode: 'Ask', unattended: undefined});
  });

  test('is reached by Shift+Tab, which says what it is', () => {
    const window = withModes(modes, 'ask');
    window.press('shift+tab');
    expect(wanted(window)).toEqual(['auto']);
    window.agent({type: 'mode_set', modeId: 'auto'});
    expect(window.state.toast?.text).toBe('Mode: Auto. The agent asks less than in Ask.');
    window.agent({type: 'mode_set', modeId: 'ask'});
    expect(window.state.toast?.text).toBe('Mode: Ask.');
  });
});
