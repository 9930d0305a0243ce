import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import type {SettingRow} from '../../../../../src/app/settings/setting-row.ts';
import {visibleItems} from '../../../../../src/app/pickers/picker.ts';
import {settingsPicker} from '../../../../../src/app/settings/settings-picker.ts';
import {openWindow, type TestWindow} from '../../../../support/window/app-window.ts';

const models = Array.from({length: 384}, (_, index) => ({
  value: `provider/model-${index}`,
  name: `Model ${index}`,
}));

const configOptions: acp.SessionConfigOption[] = [
  {
    type: 'select',
    id: 'model',
    name: 'Model',
    category: 'model',
    currentValue: 'provider/model-3',
    options: [
      {group: 'a', name: 'First', options: models.slice(0, 200)},
      {group: 'b', name: 'Second', options: models.slice(200)},
    ],
  },
  {type: 'boolean', id: 'fast', name: 'Fast mode', currentValue: false},
  {
    type: 'select',
    id: 'thought level',
    name: 'Thinking',
    currentValue: 'low',
    options: [
      {value: 'low', name: 'Low'},
      {value: 'high', name: 'High'},
    ],
  },
];

function configured() {
  const window = openWindow();
  const session = {sessionId: 's2', cwd: '/project', additionalDirectories: [], configOptions};
  window.agent({type: 'session_opened', how: 'new', session});
  return window;
}

const setting: SettingRow = {
  earlierName: undefined,
  id: 'theme',
  topic: 'Appearance',
  description: 'color theme',
  allowed: 'a theme',
  applies: 'at once',
  choices: undefined,
  value: undefined,
  typed: '',
  defaultValue: 'auto',
  source: undefined,
  places: ['user'],
  isSet: {user: false, folder: false},
  setIn: undefined,
  notes: [],
};

/** Opens the list of themes, and selects `light`. */
function previewLight(window: TestWindow): void {
  const row = {...setting, choices: ['auto', 'light']};
  window.dispatch({
    type: 'overlay_opened',
    overlay: {kind: 'picker', picker: settingsPicker([row], {filter: ''})},
  });
  window.press('enter', 'end');
}

function picker(window: TestWindow) {
  const {overlay} = window.state;
  if (overlay.kind !== 'picker') throw new Error(`no list but ${overlay.kind}`);
  return overlay.picker;
}

function shown(window: TestWindow) {
  return visibleItems(picker(window)).map((item) => item.label);
}

describe('the list of models', () => {
  test('opens on the current one, in the agent’s order with its groups', () => {
    const window = configured();
    window.press('alt+p');
    expect(picker(window).selected).toBe(3);
    expect(picker(window).items).toHaveLength(384);
    expect(picker(window).items[3]).toMatchObject({label: 'Model 3', group: 'First', current: true});
    expect(picker(window).items[200]?.group).toBe('Second');
  });

  test('filters by every typed word, and selects the match', () => {
    const window = configured();
    window.say('/model');
    window.type('second 38');
    expect(shown(window)).toEqual([
      'Model 238',
      'Model 338',
      'Model 380',
      'Model 381',
      'Model 382',
      'Model 383',
    ]);
    window.press('backspace', 'backspace');
    expect(shown(window)).toHaveLength(184);
    window.type('383');
    window.press('enter');
    expect(window.called('setModel')).toEqual([['provider/model-383']]);
    expect(window.draft).toBe('');
  });

  test('ignores Enter without a match', () => {
    const window = configured();
    window.say('/model');
    window.type('none such');
    window.press('enter');
    expect(window.called('setModel')).toEqual([]);
    expect(shown(window)).toEqual([]);
  });

  test('wraps around by single steps, and stops at the ends by pages', () => {
    const window = configured();
    window.say('/model');
    window.press('home', 'up');
    expect(picker(window).selected).toBe(383);
    window.press('down');
    expect(picker(window).selected).toBe(0);
    window.press('pagedown', 'pageup', 'pageup');
    expect(picker(window).selected).toBe(0);
    window.press('end');
    expect(picker(window).selected).toBe(383);
  });
});

describe('an open list of settings', () => {
  function change(window: TestWindow, configOptions: readonly acp.SessionConfigOption[]) {
    window.update({sessionUpdate: 'config_option_update', configOptions: [...configOptions]});
  }

  test("follows the agent's changes, and keeps selection and filter", () => {
    const window = configured();
    window.say('/options');
    window.type('th');
    window.press('end');
    const selected = () => visibleItems(picker(window))[picker(window).selected]?.id;
    expect(selected()).toBe('thought level');
    const [model, fast, thinking] = configOptions as [
      acp.SessionConfigOption,
      acp.SessionConfigOption,
      never,
    ];
    change(window, [thinking, {...fast, name: 'Faster thinking', currentValue: true} as never, model]);
    expect(shown(window)).toContain('Faster thinking: on');
    expect(picker(window).filter).toBe('th');
    expect(selected()).toBe('thought level');
  });

  test('moves the current mark to the value that the agent set', () => {
    const window = configured();
    window.say('/model');
    window.press('down');
    change(window, [{...configOptions[0], currentValue: 'provider/model-9'} as never]);
    expect(
      picker(window)
        .items.filter(({current}) => current)
        .map(({label}) => label),
    ).toEqual(['Model 9']);
    expect(picker(window).selected).toBe(4);
  });

  test('closes when its option is removed', () => {
    const window = configured();
    window.say('/options thought level');
    expect(picker(window).title).toBe('Thinking');
    change(window, configOptions.slice(0, 2));
    expect(window.state.overlay.kind).toBe('none');
  });
});

describe('/model with an argument', () => {
  test.each(['provider/model-7', 'model 7', 'MODEL 7'])('selects %s', (argument) => {
    const window = configured();
    window.say(`/model ${argument}`);
    expect(window.called('setModel')).toEqual([['provider/model-7']]);
  });

  test('lists the matches if the model is unknown or ambiguous', () => {
    const window = configured();
    window.say('/model gpt');
    expect(window.state.toast?.text).toMatch(
      /^Unknown model "gpt"\. Available: provider\/model-0,.* and 372 more\.$/,
    );
    expect(window.called('setModel')).toEqual([]);
  });
});

describe('/options', () => {
  test('lists the options with their values', () => {
    const window = configured();
    window.say('/options');
    expect(shown(window)).toEqual(['Model: Model 3', 'Fast mode: off', 'Thinking: Low']);
  });

  test('switches a boolean at once', () => {
    const window = configured();
    window.say('/options');
    window.press('down', 'enter');
    expect(window.called('setConfigOption')).toEqual([['fast', true]]);
  });

  test('shows the values of another option, with the current one selected', () => {
    const window = configured();
    window.say('/options');
    window.type('think');
    window.press('enter');
    expect(picker(window)).toMatchObject({title: 'Thinking', selected: 0});
    window.press('down', 'enter');
    expect(window.called('setConfigOption')).toEqual([['thought level', 'high']]);
  });

  test.each([
    ['fast on', 'fast', true],
    ['fast=true', 'fast', true],
    ['Fast mode', 'fast', true],
    ['fast off', 'fast', false],
    ['thought level = high', 'thought level', 'high'],
    ['Thinking High', 'thought level', 'high'],
  ])('%s sets directly', (argument, configId, value) => {
    const window = configured();
    window.say(`/config ${argument}`);
    expect(window.called('setConfigOption')).toEqual([[configId, value]]);
  });

  test.each([
    ['speed', 'Unknown option "speed". Available: model, fast, thought level.'],
    ['fast maybe', 'Unknown value of Fast mode "maybe". Available: true, false.'],
    ['thinking no', 'Unknown value of Thinking "no". Available: low, high.'],
  ])('%s lists what is available', (argument, said) => {
    const window = configured();
    window.say(`/config ${argument}`);
    expect(window.state.toast?.text).toBe(said);
  });

  test('reports what else a change affected, and what was removed', () => {
    const window = configured();
    const [model, fast] = configOptions;
    const changed = [
      {...model, currentValue: 'provider/model-4'},
      {...fast, currentValue: true},
    ];
    window.agent({
      type: 'config_options_set',
      configOptions: changed as readonly acp.SessionConfigOption[],
    });
    expect(window.state.toast?.text).toBe('Model: Model 4. Fast mode: on. Thinking is no longer available.');
  });
});

describe('/settings', () => {
  test('lists all settings, filtered by the argument', () => {
    const window = configured();
    window.say('/settings theme');
    expect(window.effects.at(-1)).toEqual({kind: 'show_settings', filter: 'theme'});
  });

  test('are listed with value and source in columns, brightly if the value is not the default', () => {
    const long = 'x'.repeat(30);
    const rows = [
      {...setting, value: 'auto', defaultValue: 'auto', source: 'default'},
      {...setting, value: long, defaultValue: 'auto', source: 'your settings'},
      {...setting, value: undefined, defaultValue: undefined, source: undefined},
    ];
    expect(settingsPicker(rows, {filter: ''}).items).toMatchObject([
      {columns: ['auto', 'default'], isBright: false},
      {
        columns: [`${'x'.repeat(19)}…`, 'your settings'],
        isBright: true,
        preview: expect.stringContaining(long),
      },
      {columns: ['not set', ''], isBright: false},
    ]);
  });

  test('previews each theme while it is selected, and restores list and theme', () => {
    const window = configured();
    const {theme} = window.state;
    previewLight(window);
    expect(window.state.theme).toBe('light');
    window.press('escape');
    expect(window.state.theme).toBe(theme);
    expect(window.effects.at(-1)).toEqual({kind: 'show_settings', filter: '', selected: 'theme'});
  });

  test('ends the preview of a theme when another page takes the place of the list', () => {
    const window = configured();
    const {theme} = window.state;
    previewLight(window);
    window.dispatch({type: 'help_opened'});
    expect(window.state.theme).toBe(theme);
  });

  test('writes the typed value in the selected scope', () => {
    const window = configured();
    const row = {...setting, id: 'agent', typed: 'old', places: ['user', 'folder'] as const};
    window.dispatch({
      type: 'overlay_opened',
      overlay: {kind: 'picker', picker: settingsPicker([row], {filter: ''})},
    });
    window.press('enter');
    window.type('er');
    window.press('down', 'enter');
    const change = {kind: 'change_setting', row, value: 'older', place: 'folder'};
    expect(window.effects.at(-1)).toMatchObject(change);
    // Until it is written.
    expect(picker(window).filter).toBe('older');
  });

  test("leaves /config to the agent's options", () => {
    const window = configured();
    window.say('/config');
    expect(picker(window).title).toBe('Agent options');
  });
});
