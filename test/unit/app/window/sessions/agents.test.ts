import {describe, expect, test} from 'vitest';
import {menuOf} from '../../../../../src/app/completion/menu.ts';
import {showAgents} from '../../../../../src/app/pickers/agent-picker.ts';
import {visibleItems} from '../../../../../src/app/pickers/picker.ts';
import {statusLine} from '../../../../../src/app/status/status-line.ts';
import {openWindow} from '../../../../support/window/app-window.ts';
import type {RegistryView, AgentRow} from '../../../../../src/app/pickers/listings.ts';

const NOW = 1_000_000_000_000;

function row(id: string, more: Partial<AgentRow> = {}): AgentRow {
  return {
    id,
    name: id,
    origins: 'on PATH',
    about: `about ${id}`,
    version: undefined,
    details: [`License: ${id}`],
    canStart: true,
    ...more,
  };
}

const inRegistry = row('goose', {name: 'Goose', origins: 'registry', version: '1.0.0', canStart: false});

function found(window: ReturnType<typeof openWindow>, registry: RegistryView, ...rows: readonly AgentRow[]) {
  window.dispatch({type: 'agents_found', list: {rows, registry, address: 'https://example.org/', at: NOW}});
}

/** A window with its list of agents open. */
function listing(registry: RegistryView, ...rows: readonly AgentRow[]) {
  const window = openWindow();
  window.say('/agents');
  found(window, registry, ...rows);
  return window;
}

function picker(window: ReturnType<typeof openWindow>) {
  const {overlay} = window.state;
  if (overlay.kind !== 'picker') throw new Error(`no list but ${overlay.kind}`);
  return overlay.picker;
}

const shown = (window: ReturnType<typeof openWindow>) =>
  visibleItems(picker(window)).map(({label, description, group}) => [label, description, group]);

describe('the list of agents', () => {
  test('is loaded at once, and loads the registry only with consent', () => {
    const window = listing({kind: 'not_asked'}, row('mine'));
    expect(window.performed('find_agents')).toEqual([{kind: 'find_agents', ask: 'if_allowed'}]);
    expect(shown(window)).toEqual([
      ['mine', 'on PATH · about mine', 'Ready to start'],
      ['Load the ACP registry', expect.stringContaining('https://example.org/'), 'ACP registry (not loaded)'],
    ]);
  });

  test('shows the well-known agents with their state, then the registry, and the demo last', () => {
    const demo = row('demo', {name: 'Demo', origins: 'built in'});
    const claude = row('claude-acp', {
      name: 'Claude Code',
      origins: '',
      about: '',
      canStart: false,
      missing: 'claude is here; adds its adapter',
    });
    const window = listing({kind: 'known', checkedAt: NOW}, row('mine'), demo, claude, inRegistry);
    expect(shown(window).map(([label, , group]) => [label, group?.replace(/ \(.*/, '')])).toEqual([
      ['mine', 'Ready to start'],
      ['Claude Code', 'Not installed · select to install'],
      ['Goose', 'ACP registry'],
      ['Reload', 'ACP registry'],
      ['Demo', 'Demo'],
    ]);
    expect(shown(window)[1]?.[1]).toBe('claude is here; adds its adapter · claude-acp');
  });

  test('starts the selected agent', () => {
    const window = listing({kind: 'not_asked'}, row('mine'), row('other', {name: 'Other'}));
    window.press('down');
    window.press('enter');
    expect(window.performed('choose_agent')).toEqual([{kind: 'choose_agent', id: 'other'}]);
    expect(window.state.overlay.kind).toBe('none');
  });

  test('stays open while the registry loads, and keeps the selection and the filter as it grows', () => {
    const window = listing({kind: 'not_asked'}, row('mine'));
    window.press('down');
    window.press('enter');
    expect(window.performed('find_agents').at(-1)).toEqual({kind: 'find_agents', ask: 'now'});
    found(window, {kind: 'asking'}, row('mine'));
    window.press('enter');
    expect(window.performed('find_agents')).toHaveLength(2);
    window.type('goo');
    found(window, {kind: 'known', checkedAt: NOW - 7_200_000}, row('mine'), inRegistry);
    expect(shown(window)).toEqual([
      [
        'Goose',
        'goose · registry · 1.0.0 · about goose',
        expect.stringMatching(/loaded 2 h ago\); installing asks/),
      ],
    ]);
  });

  test('says why the registry does not answer, and offers to retry', () => {
    const window = listing({kind: 'failed', why: 'There is no network.', checkedAt: undefined}, row('mine'));
    expect(shown(window).at(-1)).toEqual(['Try again', 'There is no network.', 'ACP registry (unreachable)']);
    found(window, {kind: 'failed', why: 'No.', checkedAt: NOW - 60_000}, row('mine'), inRegistry);
    expect(shown(window).at(-1)?.[2]).toBe('ACP registry (loaded 1 min ago; unreachable now)');
  });

  test('offers to load the registry whatever was typed, and says below why it failed', () => {
    const window = listing({kind: 'not_asked'}, row('mine'));
    window.type('goose');
    expect(shown(window).map(([label]) => label)).toEqual(['Load the ACP registry']);
    window.press('enter');
    expect(window.performed('find_agents').at(-1)).toEqual({kind: 'find_agents', ask: 'now'});
    found(window, {kind: 'asking'}, row('mine'));
    found(window, {kind: 'failed', why: 'There is no network.', checkedAt: undefined}, row('mine'));
    const [again] = visibleItems(picker(window));
    expect(again).toMatchObject({label: 'Try again', preview: 'There is no network.'});
    found(window, {kind: 'known', checkedAt: NOW}, row('mine'), inRegistry);
    expect(shown(window).map(([label]) => label)).toEqual(['Goose']);
  });

  test('shows below it the author and license of the selected one', () => {
    const window = listing({kind: 'not_asked'}, row('mine'));
    expect(visibleItems(picker(window))[0]?.preview).toBe('about mine\nLicense: mine');
  });

  test('is filtered by the words after /agents', () => {
    const window = openWindow();
    window.say('/agents goo');
    found(window, {kind: 'known', checkedAt: NOW}, row('mine'), inRegistry);
    expect(shown(window).map(([label]) => label)).toEqual(['Goose']);
  });

  test('is passed over with the name of a known agent, which completes behind /agents', () => {
    const window = openWindow();
    window.dispatch({type: 'changed', change: {agentNames: ['mine', 'minor']}});
    window.type('/agents min');
    expect(menuOf(window.state)?.items.map(({text}) => text)).toEqual(['/agents mine', '/agents minor']);
    window.press('ctrl+u');
    window.say('/agents mine');
    expect(window.performed('choose_agent')).toEqual([{kind: 'choose_agent', id: 'mine'}]);
    expect(window.state.overlay.kind).toBe('none');
  });

  test('says at the first start what Esc does', () => {
    const window = openWindow();
    const [opened] = showAgents({isFirst: true}).events;
    if (opened) window.dispatch(opened);
    expect(statusLine(window.state, window.now).escape).toEqual(['Esc', 'demo']);
  });

  test('is not reopened by late results', () => {
    const window = listing({kind: 'asking'}, row('mine'));
    window.press('escape');
    found(window, {kind: 'known', checkedAt: NOW}, row('mine'), inRegistry);
    expect(window.state.overlay.kind).toBe('none');
  });
});
