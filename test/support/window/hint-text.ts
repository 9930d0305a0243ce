import {hintText} from '../../../src/app/keymap/hints.ts';
import {hintLine as lineOf} from '../../../src/app/status/toasts.ts';

/** Returns the line below the prompt as text. */
export function hintLine(...args: Parameters<typeof lineOf>): string | undefined {
  const line = lineOf(...args);
  return line === undefined || typeof line === 'string' ? line : hintText(line);
}
