import {expect} from 'vitest';
import type {Window} from '../../screen/window.ts';

/** What was on the screen of a request, page by page. */
export class Drawn {
  readonly rows: readonly string[];

  constructor(rows: readonly string[]) {
    this.rows = rows;
  }

  get text(): string {
    return this.rows.join('\n');
  }

  /** True when the whole of a text was drawn, wherever rows were wrapped. */
  shows(text: string): boolean {
    return joined(this.text).includes(joined(text));
  }
}

/** Without what wrapping and the signs of diffs put between the characters. */
function joined(text: string): string {
  return text.replace(/\s/gu, '');
}

/** Reads a request as somebody does: from its beginning, page by page, to its end. */
export async function read(window: Window): Promise<Drawn> {
  const view = () => window.store.current().request;
  await expect.poll(() => view()?.drawnAt).toBeDefined();
  if (window.store.current().focus.kind !== 'request') window.press('\t');
  await expect.poll(() => window.store.current().focus.kind).toBe('request');
  window.press('\x1b[H');
  await expect.poll(() => view()?.scroll.firstRow).toBe(0);
  const rows: string[] = [];
  for (;;) {
    const frame = await window.screen();
    rows.push(...frame.split('\n'));
    const {firstRow, visibleRows, totalRows} = view()!.scroll;
    if (firstRow + visibleRows >= totalRows) return new Drawn(rows);
    window.press('\x1b[6~');
    await expect.poll(() => view()?.scroll.firstRow).not.toBe(firstRow);
  }
}

/** Reads a request, and presses the key that answers it as soon as keys count. */
export async function answer(window: Window, key: string): Promise<Drawn> {
  const drawn = await read(window);
  const view = () => window.store.current().request;
  const id = view()?.id;
  await expect.poll(() => performance.now() >= (view()?.answerFrom ?? 0)).toBe(true);
  window.press(key);
  await expect.poll(() => view()?.id).not.toBe(id);
  return drawn;
}
