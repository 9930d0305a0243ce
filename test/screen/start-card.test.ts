import {afterEach, expect, test} from 'vitest';
import {createTab} from '../../src/app/initial.ts';
import {initialSession} from '../../src/session/initial.ts';
import {prompt, says} from '../support/session/conversation.ts';
import {showAgents} from '../../src/app/pickers/agent-picker.ts';
import {closeWindows, open, shown, type Window} from '../support/screen/window.ts';

afterEach(closeWindows);

const recent = [
  {name: 'Fix the session refresh', age: 2 * 3_600_000, agent: 'Claude Code'},
  {name: 'Upgrade vite', age: 26 * 3_600_000, agent: 'Codex'},
];

function found(window: Window) {
  window.store.dispatch({type: 'changed', change: {recentSessions: recent}}, 'urgent');
}

test.each([
  [80, 24],
  [40, 20],
  [20, 16],
])(
  'a new window of %i columns shows versions, folder, recent sessions and two hints',
  async (columns, rows) => {
    const window = open({columns, rows});
    window.store.dispatch({type: 'branch_changed', key: 'one', branch: 'main'}, 'urgent');
    found(window);
    await shown(window).toContain('Recent sessions');
    expect(await window.screen()).toMatchSnapshot();
  },
);

test('it is printed once, above the first message', async () => {
  const window = open();
  found(window);
  await shown(window).toContain('Upgrade vite');
  window.report(prompt(1, 'Hello'), says('Hi.'));
  await shown(window).toContain('Hi.');
  const all = await window.everything();
  expect(all.split('Upgrade vite')).toHaveLength(2);
  expect(all.indexOf('Upgrade vite')).toBeLessThan(all.indexOf('Hello'));
});

test.each([
  ['stays in another new session', [], true],
  ['disappears when a session with a transcript replaces it', [prompt(1, 'Earlier')], false],
] as const)('it %s', async (_, events, isShown) => {
  const window = open();
  found(window);
  await shown(window).toContain('Upgrade vite');
  const session = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  const other = createTab({key: 'two', agentLabel: 'other agent', session, approval: 'none'});
  window.store.dispatch({type: 'session_added', key: 'two', tab: other}, 'urgent');
  for (const event of events)
    window.store.dispatch(
      {type: 'session', key: 'two', event: {...event, at: Date.now()}, at: performance.now()},
      'urgent',
    );
  window.store.dispatch({type: 'session_activated', key: 'two'}, 'urgent');
  await shown(window).toContain('other agent');
  if (!isShown) await shown(window).toContain('Earlier');
  expect((await window.everything()).includes('Upgrade vite')).toBe(isShown);
  expect(await window.everything()).not.toContain('Session:');
});

test('it is left out if it does not fit, and shown when there is space', async () => {
  const window = open({columns: 60, rows: 8});
  found(window);
  await shown(window).toContain('Ask anything');
  expect(await window.screen()).not.toContain('Upgrade vite');
  window.resize({columns: 60, rows: 20});
  await shown(window).toContain('Upgrade vite');
});

test('with a screen reader it is printed when the agent has started', async () => {
  const window = open({columns: 60, rows: 20}, {isLinear: true});
  await expect.poll(() => window.everything()).toContain('keys and commands');
});

test('the first start shows agents in place of the prompt, and what is sent to the one that is selected', async () => {
  const window = open();
  const closed = {type: 'connection_changed', connection: {kind: 'closed'}} as const;
  window.report(closed);
  const queued = {text: 'fix it', content: []};
  window.report({type: 'queue_changed', change: {kind: 'submit', prompt: queued, place: 'last'}});
  for (const event of showAgents({isFirst: true}).events) window.store.dispatch(event, 'urgent');
  const known = {name: 'Demo', about: 'built in, offline; /tour shows around', origins: 'built in'};
  const row = {...known, id: 'demo', version: undefined, details: [], canStart: true, missing: undefined};
  const gemini = {...row, id: 'gemini', name: 'Gemini CLI', about: 'gemini --acp', origins: 'on PATH'};
  const claude = {...row, id: 'claude-acp', name: 'Claude Code', about: '', canStart: false, missing: ''};
  const list = {
    rows: [gemini, row, claude],
    registry: {kind: 'not_asked'},
    address: 'https://a',
    at: 0,
  } as const;
  window.store.dispatch({type: 'agents_found', list}, 'urgent');
  await shown(window).toContain('❯ Demo');
  expect(await window.screen()).toMatchSnapshot();
});
