import type {Format, FormatContext, Step} from './format.ts';
import {jsonLine} from './json-line.ts';
import {streamEventOf} from './stream-events.ts';

/** One event a line, as it happens; the result is the last one. */
export function createStreamJson({stdout}: FormatContext): Format {
  return {
    onStep(step: Step) {
      const event = streamEventOf(step);
      if (event) stdout.write(jsonLine({v: 1, sessionId: step.state.sessionId ?? null, ...event}));
    },
    finish: (result) => stdout.write(jsonLine(result)),
  };
}
