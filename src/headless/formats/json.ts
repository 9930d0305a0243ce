import type {Format, FormatContext} from './format.ts';
import {jsonLine} from './json-line.ts';

/** One object at the end. */
export function createJson({stdout}: FormatContext): Format {
  return {finish: (result) => stdout.write(jsonLine(result))};
}
