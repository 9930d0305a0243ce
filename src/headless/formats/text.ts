import {sanitize} from '../../text/sanitize.ts';
import {createMessageStream} from '../answer.ts';
import type {Format, FormatContext} from './format.ts';
import {createNarrator} from './narrator.ts';

/** The answer as it streams on stdout; what happens on the way on stderr. */
export function createText({stdout, stderr, include}: FormatContext): Format {
  const sharesTerminal = stdout.isTerminal && stderr.isTerminal;
  const answer = createMessageStream((text) => stdout.write(text));
  const narrator = createNarrator(include, (line) => {
    if (sharesTerminal) {
      answer.breakLine();
      stdout.flush();
    }
    stderr.write(`${line}\n`);
    if (sharesTerminal) stderr.flush();
  });
  return {
    narrates: true,
    onStep(step) {
      const {part} = step;
      if (!part) {
        narrator.onStep(step);
        return;
      }
      narrator.flush();
      answer.push(stdout.isTerminal ? {...part, text: sanitize(part.text)} : part);
    },
    finish(result) {
      narrator.flush();
      answer.end();
      if (include.has('usage')) narrator.tellUsage(result.usage);
    },
  };
}
