import type {Entry} from '../../session/entries.ts';
import {messageText} from '../../session/selectors.ts';
import {answerLines} from '../../session/labels/labels.ts';
import type {SessionState} from '../../session/state.ts';
import {draftText} from '../editor/draft.ts';
import {takeBack} from '../editor/insert.ts';
import type {OpenSession} from '../state.ts';

/** How much of the transcript a new session gets as context, in characters from the end. */
const MAX_HANDOFF_LENGTH = 12_000;

/** The session with what was said in front of its draft; once, however often it is asked for. */
export function withHandoffSummary(open: OpenSession): OpenSession {
  const recap = handoffSummary(open.session);
  if (recap === '' || draftText(open.draft).includes(recap.trimEnd())) return open;
  return {...open, draft: takeBack(open.draft, recap)};
}

/** Returns a summary of the conversation as the beginning of a prompt for another agent; '' if nothing was said. */
export function handoffSummary({entries, sessionStart}: SessionState): string {
  const said: string[] = [];
  let length = 0;
  let isCut = false;
  for (let index = entries.length - 1; index >= sessionStart; index--) {
    const entry = entries.get(index);
    const line = entry && lineOf(entry);
    if (line === undefined) continue;
    isCut = length + line.length > MAX_HANDOFF_LENGTH;
    if (isCut) break;
    length += line.length;
    said.unshift(line);
  }
  if (said.length === 0) return '';
  const cut = isCut ? ['(What came before is left out.)'] : [];
  return [
    'We have worked on this in an earlier session that cannot be opened any more. This is what was said in it:',
    '',
    '<conversation>',
    ...cut,
    ...said,
    '</conversation>',
    '',
    '',
  ].join('\n');
}

function lineOf(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'user_message':
      return `User: ${messageText(entry)}`;
    case 'agent_message':
      return `Agent: ${messageText(entry)}`;
    case 'tool_call':
      return `(Tool, ${entry.status}: ${entry.title})`;
    case 'elicitation':
      return [
        `Agent asked: ${entry.message}`,
        ...answerLines(entry).map((line) => `User answered: ${line}`),
      ].join('\n');
    default:
      return undefined;
  }
}
