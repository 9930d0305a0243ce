import type {SessionMessageEntry} from '../../src/session/entries.ts';
import {participants, subagentName} from '../../src/session/subagents/names.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Theme} from '../theme/theme.tsx';
import {narrow, wrapHanging, indent} from '../layout/lines.ts';
import {firstWords, rowsOfContentBlocks} from './message.ts';

/** Returns the rows of a message from one session to another. */
export function rowsOfSessionMessage(entry: SessionMessageEntry, theme: Theme): string[] {
  const {paint, subagents, columns} = theme;
  const {from, to} = participants(entry, (id) => subagents[id] && subagentName({subagents}, id));
  const who = `Message${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` to ${to}`}`;
  const first = firstWords(entry, theme);
  const isBetween = entry.content.every(({type}) => type === 'text') && theme.extent === 'folded';
  // Messages between sessions are also in the subagent's transcript.
  if (isBetween && first !== '') return [paint.dim(truncate(`→ ${who}: ${first}`, columns))];
  const headline = wrapHanging('→', who, theme).map((line) => paint.dim(line));
  return [...headline, ...indent(rowsOfContentBlocks(entry.content, narrow(theme)))];
}
