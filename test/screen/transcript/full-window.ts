import {open, shown, type Window} from '../../support/screen/window.ts';
import {ended, prompt, says} from '../../support/session/conversation.ts';

export const SIZE = {columns: 60, rows: 16};
export const line = (number: number) => `line ${String(number).padStart(3, '0')}`;
export const lines = (from: number, to: number) =>
  Array.from({length: to - from}, (_, index) => line(from + index));

/** A window in full screen, with many lines of an answer. */
export async function full(count = 60, able: Parameters<typeof open>[1] = {}): Promise<Window> {
  const window = open(SIZE, able);
  window.store.dispatch({type: 'screen_changed', screen: 'full'}, 'urgent');
  window.report(prompt(1, 'Count'), says(lines(0, count).join('\n\n')), ended(1));
  await shown(window).toContain(line(count - 1));
  return window;
}
