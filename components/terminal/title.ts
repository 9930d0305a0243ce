import {sanitizeLine} from '../../src/text/sanitize.ts';

/** Keeps the title that the terminal has, and brings it back. */
export const pushTitle = '\x1b[22;2t';
export const popTitle = '\x1b[23;2t';

/** The sequence that sets the terminal's title. Nothing in a title can end the sequence. */
export function setTitle(title: string): string {
  return `\x1b]2;${sanitizeLine(title)}\x07`;
}
