import {afterEach, describe, expect, test} from 'vitest';
import {exchangePage, wirePicker} from '../../src/app/pages/wire-pages.ts';
import type {Finding} from '../../src/recording/describe.ts';
import {exchangesOf} from '../../src/recording/exchanges.ts';
import type {RecordingLine} from '../../src/recording/format.ts';
import {closeWindows, open, shown, type Window} from '../support/screen/window.ts';

afterEach(closeWindows);

const lines: readonly RecordingLine[] = [
  {
    t: 0,
    d: '#',
    e: 'start',
    v: 1,
    at: 1,
    program: 'x',
    agent: {label: 'a', command: 'a', args: []},
    cwd: '/work',
  },
  {t: 10, d: '>', m: {jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: 1}}},
  {t: 250, d: '<', m: {jsonrpc: '2.0', id: 1, result: {protocolVersion: 1, title: 'A\u001b[31mgent'}}},
  {t: 300, d: '!', text: 'warming up'},
  {t: 310, d: '<', m: {jsonrpc: '2.0', method: 'session/update', params: {sessionId: 's', update: {}}}},
];
const exchanges = exchangesOf(lines);
const wrong: Finding = {kind: 'violation', text: 'has no sessionUpdate', line: 4};
const findingsOf = ({method}: {readonly method: string}) => (method === 'session/update' ? [wrong] : []);

describe('the messages of a recording', () => {
  function list(window: Window) {
    const picker = wirePicker(exchanges, findingsOf);
    window.store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
    return picker;
  }

  test('are listed, a request with its response, the newest selected', async () => {
    const window = open({columns: 90, rows: 16});
    list(window);
    await shown(window).toContain('❯ 0.310 < session/update');
    const screen = await window.screen();
    expect(screen).toContain('─ Protocol log ─');
    expect(screen).toMatch(/0\.010 > initialize #1\s.*240 ms/);
    expect(screen).toMatch(/0\.300 ! stderr\s+warming up/);
    expect(screen).toContain('has no sessionUpdate');
  });

  test('are found by typing, and Enter opens one in full', async () => {
    const window = open({columns: 90, rows: 16});
    list(window);
    await shown(window).toContain('session/update');
    window.press('initialize');
    await shown(window).toContain('Filter: initialize');
    await shown(window).not.toContain('session/update');
    window.press('\r');
    await expect.poll(() => window.effects).toContainEqual({kind: 'show_exchange', index: 1});
  });

  test('name their agent if there are several', async () => {
    const window = open({columns: 90, rows: 16});
    const [start, request] = lines as [RecordingLine, RecordingLine];
    const second = {...start, p: 2, agent: {label: 'b', command: 'b', args: []}} as RecordingLine;
    const both = exchangesOf([start, request, second, {...request, p: 2}]);
    const overlay = {kind: 'picker', picker: wirePicker(both, () => [])} as const;
    window.store.dispatch({type: 'overlay_opened', overlay}, 'urgent');
    await shown(window).toContain('1 a 0.010 > initialize #1');
    expect(await window.screen()).toContain('2 b 0.010 > initialize #1');
  });

  test('are shown in full, with the response, and without control characters', async () => {
    const window = open({columns: 90, rows: 30});
    const picker = list(window);
    const exchange = exchanges.find(({index}) => index === 1)!;
    const page = exchangePage(exchange, [], picker);
    window.store.dispatch({type: 'overlay_opened', overlay: page}, 'urgent');
    await shown(window).toContain('"protocolVersion": 1');
    expect(await window.screen()).toContain('"method": "initialize"');
    expect(await window.screen()).toContain('c copy');
    expect(window.bytes()).not.toContain('\u001b[31mgent');
  });
});

test('a replay shows its position, and its keys control it instead of typing', async () => {
  const window = open({columns: 90, rows: 16});
  const replay = {position: 3, total: 8, speed: 4, isPaused: true};
  window.store.dispatch({type: 'changed', change: {replay}}, 'urgent');
  await shown(window).toContain('replay 3 of 8, 4×, paused');
  expect(await window.screen()).toContain('Replay (read-only)');
  window.press(' ', 's', '+', 'x');
  await expect
    .poll(() => window.effects)
    .toEqual([
      {kind: 'replay', step: 'pause'},
      {kind: 'replay', step: 'step'},
      {kind: 'replay', step: 'faster'},
    ]);
  expect(await window.screen()).toContain('Replay (read-only)');
});
