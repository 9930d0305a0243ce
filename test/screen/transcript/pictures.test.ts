import {afterEach, describe, expect, test} from 'vitest';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AppState} from '../../../src/app/state.ts';
import {closeWindows, open, shown, type Window} from '../../support/screen/window.ts';
import {update} from '../../support/session/build.ts';
import {asks, ended, prompt, says, tool} from '../../support/session/conversation.ts';
import {plainPicture} from '../../support/text/png-file.ts';

afterEach(closeWindows);

const CELL = '\u{10eeee}';
const COLORED = {colors: 3, emphasis: true} as const;

/** A picture of 10 cells by 3. */
const png = (color = 200) => plainPicture(80, 48, [color, 0, 9]).toString('base64');
const image = (data = png()): acp.ContentBlock => ({type: 'image', mimeType: 'image/png', data});

function sends(content: acp.ContentBlock) {
  return update({sessionUpdate: 'agent_message_chunk', messageId: 'm', content});
}

function calls(content: acp.ContentBlock) {
  return tool('shot', 'completed', {title: 'Screenshot', content: [{type: 'content', content}]});
}

/** A window on a terminal that has reported a graphics protocol. */
function openOn(graphics: AppState['graphics'], able: Parameters<typeof open>[1] = COLORED): Window {
  const window = open({columns: 60, rows: 20}, able);
  if (graphics) window.store.dispatch({type: 'changed', change: {graphics}}, 'urgent');
  return window;
}

const pictureRows = (screen: string) => screen.split('\n').filter((row) => row.includes(CELL)).length;
const transmissions = (window: Window) => window.bytes().split('\x1b_Ga=T').length - 1;

describe('a picture on a terminal with the kitty protocol', () => {
  test.each([
    ['an agent', sends(image())],
    ['a tool', calls(image())],
    [
      'a resource',
      sends({type: 'resource', resource: {uri: 'file:///a.png', mimeType: 'image/png', blob: png()}}),
    ],
  ])('of %s is drawn below its name, in rows of its height', async (_, event) => {
    const window = openOn('kitty');
    window.report(prompt(1), event, ended(1));
    await expect.poll(async () => pictureRows(await window.everything())).toBe(3);
    const rows = (await window.everything()).split('\n');
    const name = rows.findIndex((row) => row.includes('image/png'));
    expect(rows.slice(name + 1, name + 4).every((row) => row.includes(CELL))).toBe(true);
    expect(transmissions(window)).toBe(1);
  });

  test('of the user is drawn below the prompt', async () => {
    const window = openOn('kitty');
    window.report(
      {type: 'prompt_started', turn: 1, content: [{type: 'text', text: 'What is this?'}, image()]},
      says('A red area.'),
      ended(1),
    );
    await expect.poll(async () => pictureRows(await window.everything())).toBe(3);
  });

  test('is sent once on the full screen, where it scrolls with its rows', async () => {
    const window = openOn('kitty');
    window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
    await expect.poll(() => window.bytes()).toContain('\x1b[?1049h');
    window.report(prompt(1), sends(image()), says('\n\nBelow it.', 'n'), ended(1));
    await expect.poll(async () => pictureRows(await window.screen())).toBe(3);
    expect(transmissions(window)).toBe(1);
    window.report(
      prompt(2),
      says(Array.from({length: 8}, (_, n) => `line ${n}`).join('\n\n'), 'o'),
      ended(2),
    );
    await shown(window).toContain('line 7');
    expect(pictureRows(await window.screen())).toBe(0);
    window.point(...Array.from({length: 4}, () => ({kind: 'wheel_up', column: 3, row: 3}) as const));
    await expect.poll(async () => pictureRows(await window.screen())).toBeGreaterThan(0);
    expect(transmissions(window)).toBe(1);
  });

  test('is not copied with the text around it', async () => {
    const window = openOn('kitty');
    window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
    window.report(prompt(1), sends(image()), says('Below it.', 'n'), ended(1));
    await expect.poll(async () => pictureRows(await window.screen())).toBe(3);
    await shown(window).toContain('Below it.');
    const row = (await window.screen()).split('\n').findIndex((text) => text.includes('image/png'));
    window.point({kind: 'press', column: 0, row}, {kind: 'drag', column: 5, row: row + 5});
    await expect.poll(async () => pictureRows(await window.screen())).toBe(3);
    window.point({kind: 'release', column: 5, row: row + 5});
    const copied = window.effects.find(({kind}) => kind === 'copy');
    expect(copied).toMatchObject({text: expect.not.stringContaining(CELL) as string});
  });
});

test('a picture on a terminal with sixel graphics is drawn row by row, and scrolls nothing', async () => {
  const window = openOn({cell: {width: 10, height: 20}});
  window.report(prompt(1), sends(image()), says('Below it.', 'n'), ended(1));
  await shown(window).toContain('Below it.');
  await expect.poll(() => window.bytes().split('\x1bP0;1;0q"1;1;100;20#').length).toBe(4);
  expect(window.bytes()).not.toContain(CELL);
  const rows = (await window.screen()).split('\n').map((row) => row.trim());
  const name = rows.findIndex((row) => row.includes('image/png'));
  expect(rows.slice(name + 1, name + 6)).toEqual(['', '', '', '', 'Below it.']);
});

test('a picture on a terminal with inline images is written row by row', async () => {
  const window = openOn('iterm2');
  window.report(prompt(1), sends(image()), says('Below it.', 'n'), ended(1));
  await shown(window).toContain('Below it.');
  await expect.poll(() => window.bytes().split('\x1b]1337;File=inline=1;width=10;height=1;').length).toBe(4);
  expect(window.bytes()).not.toContain(CELL);
  const rows = (await window.screen()).split('\n');
  const name = rows.findIndex((row) => row.includes('image/png'));
  expect(rows.slice(name + 1, name + 4).map((row) => row.trim())).toEqual(['', '', '']);
});

test('a picture is drawn with half blocks if the settings say so', async () => {
  const window = openOn(undefined);
  window.store.dispatch({type: 'preferences_changed', change: {images: 'blocks'}}, 'urgent');
  window.report(prompt(1), sends(image()), ended(1));
  await shown(window).toContain('▀'.repeat(10));
  expect(window.bytes()).toContain('\x1b[38;2;200;0;9m');
});

test.each([
  ['on a terminal that has reported nothing', undefined, {}, 'auto'],
  ['without colors', 'kitty', {colors: 0}, 'auto'],
  ['in linear output', 'kitty', {isLinear: true}, 'auto'],
  ['if the settings say so', 'kitty', {}, 'off'],
] as const)('only the name of a picture is shown %s', async (...[, graphics, able, images]) => {
  const window = openOn(graphics, {...COLORED, ...able});
  window.store.dispatch({type: 'preferences_changed', change: {images}}, 'urgent');
  window.report(prompt(1), sends(image()), says('Below it.', 'n'), ended(1));
  await shown(window).toContain('Below it.');
  expect(await window.everything()).toContain('image/png');
  expect(window.bytes()).not.toMatch(/\x1b_G|\x1b\]1337|\u{10eeee}|▀/u);
});

test('what is no picture has its name only, and what follows is shown', async () => {
  const window = openOn('kitty');
  const notOne = Buffer.from('\x1b_Ga=T;evil\x1b\\').toString('base64');
  window.report(prompt(1), sends(image(notOne)), says('Below it.', 'n'), ended(1));
  await shown(window).toContain('Below it.');
  expect(await window.everything()).toContain('image/png');
  expect(window.bytes()).not.toMatch(/\x1b_G/);
});

test('a request shows no picture, but its name', async () => {
  const window = openOn('kitty');
  window.report(prompt(1), asks({content: [{type: 'content', content: image(png(77))}]}));
  await shown(window).toContain('image/png');
  expect(pictureRows(await window.screen())).toBe(0);
});
