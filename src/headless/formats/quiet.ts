import {sanitize} from '../../text/sanitize.ts';
import type {Format, FormatContext} from './format.ts';

/** The last message alone, at the end. */
export function createQuiet({stdout}: FormatContext): Format {
  return {
    finish(_result, last) {
      if (last !== undefined) stdout.write(`${stdout.isTerminal ? sanitize(last) : last}\n`);
    },
  };
}
