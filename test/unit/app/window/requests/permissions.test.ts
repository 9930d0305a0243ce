import {describe, expect, test} from 'vitest';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {
  permissionsPicker,
  decisionsOverlay,
  explanationOverlay,
} from '../../../../../src/app/requests/permission-choices.ts';
import {
  type DecisionRecord,
  type HookRecord,
  ruleOf,
  type PermissionRule,
} from '../../../../../src/session/requests/permission-rules.ts';
import {APPROVAL_LEVELS} from '../../../../../src/session/settings/approval.ts';
import {openWindow} from '../../../../support/window/app-window.ts';

const decision: DecisionRecord = {
  at: Date.UTC(2026, 10, 21, 14, 2, 3),
  sessionId: 's',
  method: 'terminal/create',
  title: 'npm test \u001B[2J',
  kind: 'execute',
  outcome: 'allowed',
  by: 'rule: execute npm test* (user)',
  command: 'npm test',
};

function rules(): PermissionRule[] {
  const all = [
    ruleOf('deny', 'any .env', 'user'),
    ruleOf('allow', 'execute npm test*', 'user'),
    ruleOf('ask', 'edit src/**', 'project'),
  ];
  return all.filter((rule) => rule !== undefined);
}

const grants = [{id: '7', sessionId: 's', answer: 'Yes, allow all edits', covers: 'all edits'}];

/** A window that shows the permissions. */
function shown(decisions: readonly DecisionRecord[] = [decision]) {
  const window = openWindow();
  const picker = permissionsPicker({rules: rules(), grants, decisions}, window.open);
  window.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}});
  return window;
}

const pickerOf = ({state: {overlay}}: ReturnType<typeof openWindow>) =>
  overlay.kind === 'picker' ? overlay.picker : undefined;

describe('/permissions', () => {
  test.each([
    ['/permissions', {kind: 'show_permissions'}],
    ['/permissions log', {kind: 'show_decisions'}],
    ['/permissions allow execute npm test*', {kind: 'add_rule', effect: 'allow', text: 'execute npm test*'}],
    [
      '/permissions deny agent=demo any ~/.ssh/**',
      {kind: 'add_rule', effect: 'deny', text: 'agent=demo any ~/.ssh/**'},
    ],
    ['/permissions remove any .env', {kind: 'remove_rule', text: 'any .env'}],
  ])('%s', (text, effect) => {
    const window = openWindow();
    window.say(text);
    expect(window.effects).toContainEqual({...effect, key: 'main'});
  });

  test('an invalid rule changes nothing and says what is needed', () => {
    const window = openWindow();
    window.say('/permissions allow run tests');
    expect(window.effects.map(({kind}) => kind)).toEqual(['save_history']);
    expect(hintLine(window.state)).toContain('Invalid rule');
  });

  test('lists rules by source, what was allowed for the session, the level, and decisions', () => {
    expect(pickerOf(shown())?.items.map(({label, group}) => [group?.split(' (')[0], label])).toEqual([
      ['Your rules', 'deny any .env'],
      ['Your rules', 'allow execute npm test*'],
      ['Rules of this folder', 'ask edit src/**'],
      ['Allowed for this session; select to revoke', 'all edits'],
      ['No rule', '--approve none'],
      ['No rule', 'Protected paths'],
      ['Decisions, newest first', expect.stringContaining('run npm test')],
    ]);
    const {items} = permissionsPicker({rules: [], grants: [], decisions: []}, openWindow().open);
    expect(items.map(({label}) => label)).toEqual(['None yet', '--approve none', 'Protected paths']);
  });

  test('leads to the approval levels', () => {
    const window = shown([]);
    window.press('up', 'up', 'enter');
    expect(pickerOf(window)?.items.map(({id}) => id)).toEqual([...APPROVAL_LEVELS]);
  });

  test('lists the actions for a rule with its current effect selected', () => {
    const window = shown();
    window.press('down', 'enter');
    expect(pickerOf(window)?.title).toBe('Rule: execute npm test*');
    window.press('down', 'enter');
    expect(window.performed('add_rule')).toEqual([
      {kind: 'add_rule', key: 'main', effect: 'ask', text: 'execute npm test*'},
    ]);
  });

  test('removes a rule', () => {
    const window = shown();
    window.press('enter', 'down', 'enter');
    expect(window.performed('remove_rule')).toEqual([{kind: 'remove_rule', key: 'main', text: 'any .env'}]);
  });

  test('leaves rules of the folder to its file', () => {
    const window = shown();
    window.press('down', 'down', 'enter');
    expect(window.effects).toEqual([]);
    expect(hintLine(window.state)).toContain('.acp-tui.json');
  });

  test('takes back what was allowed for the session, and not by Enter twice', () => {
    const window = shown();
    window.press('down', 'down', 'down', 'enter');
    expect(pickerOf(window)?.title).toBe('Allowed for this session: all edits');
    window.press('enter');
    expect(window.performed('take_back')).toEqual([]);
    const again = shown();
    again.press('down', 'down', 'down', 'enter', 'down', 'enter');
    expect(again.performed('take_back')).toEqual([
      {kind: 'take_back', key: 'main', id: '7', covers: 'all edits'},
    ]);
  });

  test('explains the selected one of the newest 20 decisions', () => {
    const window = shown(Array.from({length: 25}, (_, at) => ({...decision, at})));
    window.press('up', 'enter');
    expect(window.performed('explain_decision')).toEqual([{kind: 'explain_decision', key: 'main', index: 5}]);
  });
});

describe('an explanation', () => {
  test.each<[Partial<DecisionRecord>, RegExp]>([
    [{}, /Command +npm test\nWhy +Allowed by rule: execute npm test\* \(user\)\.$/],
    [
      {paths: ['/p/a', '/p/b']},
      /\nRequest +terminal\/create, kind execute\nCommand.*\nFiles +\/p\/a, \/p\/b\nWhy/,
    ],
    [
      {by: 'user', option: 'Yes', key: 'y', askedBy: '--approve none'},
      /with "Yes" \(key y\).*because of --approve none/,
    ],
    [{by: 'user'}, /You answered\.$/],
    [{by: '--approve edits'}, /No rule applies, and --approve edits allows it/],
    [{outcome: 'rejected', by: '--approve reads'}, /nothing could be asked/],
    [{outcome: 'rejected', by: 'rule: execute (user)'}, /Denied by rule: execute \(user\)/],
    [{outcome: 'cancelled', by: 'user'}, /Not answered/],
    [{outcome: 'withdrawn', by: 'agent'}, /stopped waiting/],
    [{by: 'an earlier answer'}, /You allowed it earlier/],
    [{by: 'your answer "Always"'}, /for this session by your answer "Always".*\/permissions/],
    [{unresolved: '"`id`" is changed by the shell'}, /could not be parsed.*`id`/],
  ])('of %j', (change, words) => {
    expect(explanationOverlay({...decision, ...change}).text).toMatch(words);
  });

  test("and the log show an agent's texts in one line without control characters", () => {
    const text = explanationOverlay(decision).text + decisionsOverlay([decision]).text;
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(decisionsOverlay([decision]).text).toContain('2026-11-21 14:02:03  allowed by rule');
    const byUser = {...decision, method: 'x', title: 't', by: 'user', key: 'y', subagent: 'find'};
    expect(decisionsOverlay([byUser]).text).toContain('allowed by you: t (subagent find) (x, key y)');
    expect(decisionsOverlay([]).text).toContain('No decisions yet');
  });

  test.each<[Partial<HookRecord>, string]>([
    [{outcome: 'ran'}, 'hook: ./check.sh (user) ran (hook/Stop)'],
    [{outcome: 'ran', said: 'deny'}, 'hook: ./check.sh (user) ran and said deny (hook/Stop)'],
    [
      {outcome: 'added', characters: 12},
      'hook: ./check.sh (user) added 12 characters for the agent (hook/Stop)',
    ],
    [{outcome: 'added', characters: 1}, 'added 1 character for the agent'],
    [{outcome: 'failed', why: 'exit\n3'}, 'hook: ./check.sh (user) failed: exit␊3 (hook/Stop)'],
    [{outcome: 'stopped', why: 'the session ended'}, '(user) was stopped: the session ended (hook/Stop)'],
  ])('and the log say what a hook did: %j', (did, line) => {
    const ran = {
      at: 1,
      sessionId: 's',
      method: 'hook/Stop',
      outcome: 'ran',
      by: 'hook: ./check.sh (user)',
    } as const;
    expect(decisionsOverlay([{...ran, ...did}]).text).toContain(line);
  });
});

test('the list of protected paths is a page of /permissions', () => {
  const window = shown([]);
  window.type('protected');
  window.press('enter');
  const {overlay} = window.state;
  const text = overlay.kind === 'text' ? overlay.text : '';
  for (const path of [
    '.bashrc',
    '.ssh/',
    '.git/',
    '.envrc',
    '.claude/',
    'config, data, state and cache folders',
  ])
    expect(text).toContain(path);
});
