import {pastesIn} from '../../session/content/pasted-text.ts';
import type {Entry} from '../../session/entries.ts';
import {messageText} from '../../session/selectors.ts';
import {wholePromptText} from '../../session/transcript/content.ts';
import {answerLines} from '../../session/labels/labels.ts';
import {stateLabel} from '../../session/labels/tool-labels.ts';
import type {SessionState} from '../../session/state.ts';
import {endOfText} from '../../text/truncate.ts';
import {draftText} from '../editor/draft.ts';
import {prependNamed, prependToDraft} from '../editor/insert.ts';
import type {Tab} from '../state.ts';

/** How much of the transcript a new session gets as context, in characters from the end. */
const MAX_HANDOFF_LENGTH = 12_000;

/** Puts a summary of the conversation in front of the session's draft; only once, however often it is called. */
export function withHandoffSummary(tab: Tab): Tab {
  const summary = handoffSummary(tab.session);
  if (summary === '' || draftText(tab.draft).includes(summary.trimEnd())) return tab;
  return {...tab, draft: prependToDraft(tab.draft, summary)};
}

/** Puts the prompt of a turn in front of the session's draft; for a new session, with the conversation before it. */
export function restoreRewoundPrompt(
  tab: Tab,
  {turn, toNewSession}: {readonly turn: number; readonly toNewSession: boolean},
): Tab {
  const {session} = tab;
  const isPrompt = (entry: Entry) => entry.type === 'user_message' && entry.turn === turn;
  // Other prompts of the turn steered it.
  const prompt = session.entries.find(isPrompt);
  if (prompt?.type !== 'user_message') return tab;
  const summary = toNewSession ? summaryOf(session, {heading: REWOUND, until: prompt}) : '';
  const text = `${summary}${wholePromptText(prompt.content)}`;
  const draft = prependToDraft(tab.draft, text, {pastes: pastesIn(prompt.content)});
  return {...tab, draft, rewoundDraft: draft};
}

/** Puts what another agent has to know in front of the session's draft. */
export function receiveHandoff(tab: Tab, {text, from}: {readonly text: string; readonly from: string}): Tab {
  return {...tab, draft: prependNamed(tab.draft, {name: `Conversation with ${from}`, text})};
}

const LOST =
  'We have worked on this in an earlier session that cannot be opened any more. This is what was said in it:';
const REWOUND =
  'We go back to an earlier point of our conversation; what came after it does not count. This is what was said until then:';

const HANDED_OVER =
  'Another agent and I have worked on this until now, in this folder. Continue it. This is what was said:';

/** What the agent is asked for, for the one that goes on. */
export const SUMMARY_PROMPT =
  'Another agent will continue our conversation and knows nothing of it. Summarize it for that agent: what I want, what was decided and why, what is done, which files were changed, and what is still open. Answer with the summary alone.';

/** Returns what an agent gets that goes on with the conversation: its end, or only its last turns; '' if there is none. */
export function handedOver(session: SessionState, turns = Infinity): string {
  const {entries, sessionStart} = session;
  let since = entries.length;
  for (let count = 0; count < turns && since > sessionStart; count++) {
    const before = entries.slice(sessionStart, since).findLastIndex(({type}) => type === 'user_message');
    since = before === -1 ? sessionStart : sessionStart + before;
  }
  return summaryOf(session, {heading: HANDED_OVER, since});
}

/** Returns what an agent gets that goes on with a conversation of which another one has written a summary. */
export function handedOverSummary(summary: string): string {
  return [HANDED_OVER, '', '<summary>', summary.trim(), '</summary>', '', ''].join('\n');
}

/** Returns a summary of the conversation as the beginning of a prompt for another agent; '' if it is empty. */
export function handoffSummary(session: SessionState): string {
  return summaryOf(session, {heading: LOST});
}

interface Summary {
  readonly heading: string;
  /** The first entry to leave out. */
  readonly until?: Entry;
  /** The index of the first entry that is not left out. */
  readonly since?: number;
}

function summaryOf(
  {entries, sessionStart}: SessionState,
  {heading, until, since = sessionStart}: Summary,
): string {
  const end = until ? entries.findLastIndex((entry) => entry === until) : entries.length;
  const messages: string[] = [];
  let length = 0;
  let isCut = false;
  for (let index = end - 1; index >= since; index--) {
    const entry = entries.get(index);
    const line = entry && lineOf(entry);
    if (line === undefined) continue;
    const room = MAX_HANDOFF_LENGTH - length;
    isCut = line.length > room;
    messages.unshift(isCut ? endOfLine(line, room) : line);
    if (isCut) break;
    length += line.length;
  }
  if (messages.length === 0) return '';
  const cut = isCut ? ['(What came before is left out.)'] : [];
  return [heading, '', '<conversation>', ...cut, ...messages, '</conversation>', '', ''].join('\n');
}

/** Returns who says it, and the end of what is said. */
function endOfLine(line: string, most: number): string {
  const [who = ''] = line.split(' ', 1);
  return `${who} …${endOfText(line.slice(who.length + 1), most)}`;
}

function lineOf(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'user_message':
      return `User: ${messageText(entry)}`;
    case 'agent_message':
      return `Agent: ${messageText(entry)}`;
    case 'tool_call':
      return `(Tool, ${stateLabel(entry)}: ${entry.title})`;
    case 'elicitation':
      return [
        `Agent asked: ${entry.message}`,
        ...answerLines(entry).map((line) => `User answered: ${line}`),
      ].join('\n');
    default:
      return undefined;
  }
}
