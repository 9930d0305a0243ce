import type {OutputFormat} from '../../cli/options.ts';
import {createAcp} from './acp.ts';
import type {Format, FormatContext} from './format.ts';
import {createJson} from './json.ts';
import {createQuiet} from './quiet.ts';
import {createStreamJson} from './stream-json.ts';
import {createText} from './text.ts';

/** What makes each format; see docs/output-formats.md. */
export const formats: Readonly<Record<OutputFormat, (context: FormatContext) => Format>> = {
  text: createText,
  json: createJson,
  'stream-json': createStreamJson,
  acp: createAcp,
  quiet: createQuiet,
};
