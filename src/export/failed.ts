import {plainResult} from '../text/hidden.ts';
import type {ToolCallEntry} from '../session/entries.ts';
import {rawText} from '../session/words/raw.ts';

/** What a tool call that failed says of it only in its raw output; '' where there is nothing, or its content says it. */
export function failedText({status, content, rawOutput}: ToolCallEntry): string {
  if (status !== 'failed' || content.some(({type}) => type !== 'diff')) return '';
  return plainResult(rawText(rawOutput)).trim();
}
