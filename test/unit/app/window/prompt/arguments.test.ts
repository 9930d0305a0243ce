import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {argumentHint, menuOf} from '../../../../../src/app/completion/menu.ts';
import {says, update} from '../../../../support/session/build.ts';
import {openWindow, type TestWindow} from '../../../../support/window/app-window.ts';

const select = (id: string, name: string, values: readonly string[]): acp.SessionConfigOption => ({
  type: 'select',
  id,
  name,
  ...(id === 'model' && {category: 'model'}),
  currentValue: values[1] ?? '',
  options: values.map((value) => ({value, name: value.toUpperCase()})),
});

function configured(): TestWindow {
  const window = openWindow();
  const configOptions: acp.SessionConfigOption[] = [
    select('model', 'Model', ['gpt-5', 'gpt-5-mini', 'claude']),
    select('thought level', 'Thinking', ['low', 'high']),
    {type: 'boolean', id: 'web', name: 'Web search', currentValue: false},
  ];
  const session = {sessionId: 's2', cwd: '/project', additionalDirectories: [], configOptions};
  window.agent({type: 'session_opened', how: 'new', session});
  return window;
}

function listed(window: TestWindow): readonly string[] {
  return menuOf(window.state)?.items.map(({text}) => text) ?? [];
}

describe('after the name of a command', () => {
  test('its values are listed, the current one first, so that Enter changes nothing', () => {
    const window = configured();
    window.type('/model ');
    expect(listed(window)).toEqual(['/model gpt-5-mini', '/model gpt-5', '/model claude']);
    expect(menuOf(window.state)?.items[0]?.description).toContain('(now)');
  });

  test('typing filters them, Tab completes and Enter selects', () => {
    const window = configured();
    window.type('/model gpt');
    expect(listed(window)).toEqual(['/model gpt-5', '/model gpt-5-mini']);
    window.press('down', 'tab');
    expect(window.draft).toBe('/model gpt-5-mini');
    window.press('enter');
    expect(window.called('setModel')).toEqual([['gpt-5-mini']]);
    expect(window.draft).toBe('');
  });

  test('an exact value comes before prefix matches', () => {
    const window = configured();
    window.say('/model gpt-5');
    expect(window.called('setModel')).toEqual([['gpt-5']]);
  });

  test('/config completes the option, then its value, with spaces in names', () => {
    const window = configured();
    window.type('/config thou');
    window.press('tab');
    expect(window.draft).toBe('/config thought level ');
    expect(listed(window)).toEqual(['/config thought level high', '/config thought level low']);
    window.type('lo');
    window.press('enter');
    expect(window.called('setConfigOption')).toEqual([['thought level', 'low']]);
  });
});

describe('a free argument with words of a listed value', () => {
  test.each([
    ['/copy 2', 'copy', {what: 'answer 2 from the end'}],
    ['/copy code 2', 'copy', {what: 'code block 2 from the end'}],
    ['/copy co', 'copy', {what: 'the last code block'}],
    ['/export page', 'export_session', {format: undefined, file: 'page'}],
    ['/export htm', 'export_session', {format: 'html', file: undefined}],
  ] as const)('is what Enter runs, unless the value begins with it: %s', (typed, kind, done) => {
    const window = configured();
    for (const code of ['one', 'two']) {
      window.say('go');
      window.agent(update(says(`\`\`\`\n${code}\n\`\`\``)));
      window.endTurn();
    }
    window.say(typed);
    expect(window.performed(kind)).toEqual([expect.objectContaining(done)]);
  });
});

describe('the input hint of a command', () => {
  const web = {name: 'web', description: 'Searches', input: {hint: 'what to look for'}};

  test('is shown until something is typed', () => {
    const window = configured();
    window.offer(web, {name: 'empty', description: '', input: {hint: ''}});
    window.type('/web');
    expect(argumentHint(window.state)).toBeUndefined();
    window.type(' ');
    expect(argumentHint(window.state)).toBe('what to look for');
    window.type('c');
    expect(argumentHint(window.state)).toBeUndefined();
    window.press('ctrl+u');
    window.type('/empty ');
    expect(argumentHint(window.state)).toBeUndefined();
  });
});

describe('commands that appear and disappear while the menu is open', () => {
  const command = (name: string) => ({name, description: name});

  test('keep the selection on its item', () => {
    const window = configured();
    window.offer(command('xa'), command('xc'));
    window.type('/x');
    window.press('down');
    window.offer(command('xa'), command('xb'), command('xc'));
    expect(listed(window)).toEqual(['/xa', '/xb', '/xc']);
    window.press('enter');
    expect(window.sent).toEqual(['/xc']);
  });
});
