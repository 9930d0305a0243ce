import {appendFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import type {PuppetStep} from '../../../fixtures/fake-agent/scenarios/puppet.ts';
import {fakeAgent, READY, temporaryFolder} from '../../support/driver/chat.ts';
import {
  isInstalled,
  openIn,
  type Multiplexed,
  type MultiplexerName,
  type WindowSize,
} from '../../support/driver/multiplexer.ts';
import {askToRun} from '../../support/driver/puppet.ts';

interface Window extends Multiplexed {
  readonly report: (...steps: readonly PuppetStep[]) => void;
}

function openPuppetIn(place: MultiplexerName, size: WindowSize): Window {
  const steps = path.join(temporaryFolder('puppet'), 'steps');
  writeFileSync(steps, '');
  const report = (...next: readonly PuppetStep[]) =>
    appendFileSync(steps, next.map((step) => `${JSON.stringify(step)}\n`).join(''));
  return Object.assign(openIn(place, fakeAgent('puppet', steps), size), {report});
}

const row = (number: number) => `row ${String(number).padStart(2, '0')}`;
const rows = (from: number, to: number) => Array.from({length: to - from}, (_, index) => row(from + index));
const say = (from: number, to: number): PuppetStep => ({say: `${rows(from, to).join('\n\n')}\n\n`});

/** The rows of the transcript on the screen, and the row of the status line. */
function layout(window: Window) {
  const lines = window.screen().split('\n');
  const status = lines.findIndex((line) => /╰─ (?:\d\/\d )?Fake agent/.test(line));
  return {seen: lines.map((line) => line.trim()).filter((line) => /^row \d\d$/.test(line)), status};
}

/** Those rows that do not appear exactly once. */
function wrong(window: Window, to: number): string[] {
  const kept = window.kept();
  return rows(0, to).filter((text) => kept.split(text).length !== 2);
}

/** Reads the request that has the focus page by page, until its answers can be selected: without room for hints, the mark says so. */
async function readToEnd(window: Window): Promise<void> {
  const isRead = () =>
    /why am I asked|\d above ·[^]*❯ 1 /.test(window.screen()) && !window.screen().includes('Keys count');
  while (!isRead()) {
    const before = window.screen();
    window.press('pagedown');
    await window.until(() => isRead() || window.screen() !== before, 'for the next page');
  }
}

const SIZES: readonly WindowSize[] = [
  {columns: 80, rows: 24},
  {columns: 120, rows: 40},
  {columns: 40, rows: 12},
];

describe.each(['tmux', 'screen'] as const)('in %s', (place) => {
  const isMissing = !isInstalled(place);

  test.skipIf(isMissing).each(SIZES)(
    'what a list or a page covers at $columns by $rows is restored when it closes, and is kept once; what a request displaces can be scrolled to meanwhile',
    async (size) => {
      const window = openPuppetIn(place, size);
      const until = (seen: string, status: number) =>
        window.until(
          () => layout(window).seen.includes(seen) && layout(window).status === status,
          `for ${seen} above a status line in row ${status}`,
        );
      await window.sees(READY);
      window.type('go\r');
      await window.sees('Working');
      window.report(say(0, 60), {end: 'end_turn'});
      await window.sees(row(59));
      await window.noLongerSees('Working');
      window.type('/help');
      await window.sees('Keys and commands');
      window.type('\r');
      await window.sees('─ Help');
      window.press('escape');
      // A multiplexer restores it row by row, and may show something else for a moment.
      await window.until(() => {
        const {status, seen} = layout(window);
        const areLast = seen.length > 1 && String(seen) === String(rows(60 - seen.length, 60));
        const isFull = /^\s*row \d\d$/m.test(window.screen().split('\n').slice(0, 2).join('\n'));
        return status !== -1 && areLast && isFull && !window.screen().includes('─ Help');
      }, 'for the transcript without the help');
      const {status, seen: before} = layout(window);

      window.press('ctrl+x');
      window.type('p');
      await window.sees('Commands and actions');
      expect(layout(window).seen.length).toBeLessThan(before.length);
      window.press('escape');
      await window.noLongerSees('Commands and actions');
      await expect.poll(() => layout(window)).toEqual({seen: before, status});

      window.type('go\r');
      await window.sees('Working');
      window.type('?');
      await window.sees('all keys');
      window.type('?');
      await window.sees('─ Help');
      window.report(say(60, 70));
      await window.sees(row(69));
      window.press('escape');
      await window.noLongerSees('─ Help');
      await until(row(69), status);
      window.report(askToRun(Array.from({length: 30}, (_, index) => `echo ${index}`).join('\n')));
      await window.sees('Allow once');
      await window.until(() => wrong(window, 69).length === 0, 'for each row once while it is open');
      await window.sees('Esc back to prompt');
      await readToEnd(window);
      window.press('enter');
      await window.hasSeen('request: yes');
      window.report(say(70, 72), {end: 'end_turn'});
      await window.noLongerSees('Working');
      await window.sees(row(71));
      await window.until(() => wrong(window, 72).length === 0, 'for each row once');
    },
  );
});
