import {expect} from 'vitest';
import {answerFrom, type Window} from '../../support/screen/window.ts';

/** Polls often: a story has many steps. */
const OFTEN = {interval: 5};

/** What the screen showed of a request, page by page. */
export class ScreenReading {
  readonly rows: readonly string[];

  constructor(rows: readonly string[]) {
    this.rows = rows;
  }

  get text(): string {
    return this.rows.join('\n');
  }

  /** The tokens of this letter: `w12w`. */
  tokens(letter: string): ReadonlySet<string> {
    return new Set(this.text.match(new RegExp(`${letter}\\d+${letter}`, 'g')));
  }

  /** True if a whole text was drawn, across wrapped rows. */
  shows(text: string): boolean {
    return joined(this.text).includes(joined(text));
  }
}

/** Without what wrapping and diff signs insert between the characters. */
function joined(text: string): string {
  return text.replace(/\s/gu, '');
}

/** Reads a request as a user does: from its top, page by page, to its end. */
export async function read(window: Window): Promise<ScreenReading> {
  const view = () => window.store.latest().request;
  await expect.poll(() => view()?.phase.kind, OFTEN).toMatch(/shown|focused/);
  if (window.store.latest().focus.kind !== 'request') window.press('\t');
  await expect.poll(() => window.store.latest().focus.kind, OFTEN).toBe('request');
  window.press('\x1b[H');
  await expect.poll(() => view()?.scroll.firstRow, OFTEN).toBe(0);
  const rows: string[] = [];
  for (;;) {
    const frame = await window.screen();
    rows.push(...panelOf(frame.split('\n')));
    const {firstRow, visibleRows, totalRows} = view()!.scroll;
    if (firstRow + visibleRows >= totalRows) return new ScreenReading(rows);
    window.press('\x1b[6~');
    await expect.poll(() => view()?.scroll.firstRow, OFTEN).not.toBe(firstRow);
  }
}

/** The rows of the request: from the top edge of its box to the bottom one. */
function panelOf(rows: readonly string[]): readonly string[] {
  const from = rows.findLastIndex((row) => row.startsWith('╭─ Allow'));
  const to = rows.findIndex((row, index) => index > from && row.startsWith('╰─'));
  if (from === -1) throw new Error(`no request is drawn:\n${rows.join('\n')}`);
  return rows.slice(from, to === -1 ? undefined : to).map((row) => row.replace(/^│ (.*?) *│$/, '$1'));
}

/** Reads a request, and presses the key that answers it as soon as keys count; again if it was redrawn instead. */
export async function answer(window: Window, key: string): Promise<ScreenReading> {
  const view = () => window.store.latest().request;
  for (;;) {
    const drawn = await read(window);
    const id = view()?.id;
    const isGone = () => view()?.id !== id;
    await expect.poll(() => isGone() || performance.now() >= answerFrom(window), OFTEN).toBe(true);
    const version = view()?.version;
    window.press(key);
    await expect.poll(() => isGone() || view()?.version !== version, OFTEN).toBe(true);
    if (isGone()) return drawn;
  }
}
