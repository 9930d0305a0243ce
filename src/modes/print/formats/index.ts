import type {OutputFormat} from '../../../cli/options.ts';
import {createAcp, createJson, createStreamJson} from './json-formats.ts';
import type {Format, FormatContext} from './format.ts';
import {createQuiet, createText} from './text-format.ts';

/** The factories of each format; see docs/scripts.md. */
export const formats: Readonly<Record<OutputFormat, (context: FormatContext) => Format>> = {
  text: createText,
  json: createJson,
  'stream-json': createStreamJson,
  acp: createAcp,
  quiet: createQuiet,
};
