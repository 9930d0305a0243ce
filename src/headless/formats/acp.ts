import {sanitize} from '../../text/sanitize.ts';
import type {Format, FormatContext} from './format.ts';
import {escapeControls} from './json-line.ts';

/** The agent's lines as they came. On a terminal they are made safe to print; valid JSON keeps its meaning. */
export function createAcp({stdout}: FormatContext): Format {
  return {
    onWire({direction, line}) {
      if (direction !== 'from_agent') return;
      const raw = line.replace(/\r?\n$/, '');
      stdout.write(`${stdout.isTerminal ? sanitize(escapeControls(raw)) : raw}\n`);
    },
    finish: () => {},
  };
}
