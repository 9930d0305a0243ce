import type {AgentMessageEntry} from '../../session/entries.ts';
import {messageText} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import {fencedBlocks} from '../../text/markdown/line-kinds.ts';

/** The text to copy with its description; or why there is none. */
type ToCopy =
  | {readonly kind: 'text'; readonly text: string; readonly what: string}
  | {readonly kind: 'problem'; readonly problem: string};

const USAGE = '/copy copies the last answer, /copy 2 the one before it, /copy code the last code block.';

/** Returns the text that `/copy` copies: an answer or a code block, counted from the last. */
export function textToCopy({entries}: SessionState, argument: string): ToCopy {
  const [, code, number = '1'] = /^(code)?\s*(\d{1,4})?$/i.exec(argument) ?? [argument];
  if (argument !== '' && !/^(?:code)?\s*\d{0,4}$/i.test(argument)) return {kind: 'problem', problem: USAGE};
  const answers = entries
    .filter((entry): entry is AgentMessageEntry => entry.type === 'agent_message')
    .map((entry) => messageText(entry).trim())
    .filter((text) => text !== '');
  const texts =
    code === undefined ? answers : answers.flatMap((text) => fencedBlocks(text).map(({code}) => code));
  const what = code === undefined ? 'answer' : 'code block';
  const wanted = Number(number);
  const text = wanted === 0 ? undefined : texts.at(-wanted);
  if (text !== undefined)
    return {kind: 'text', text, what: wanted === 1 ? `the last ${what}` : `${what} ${wanted} from the end`};
  const there = texts.length === 1 ? `is one ${what}` : `are ${texts.length} ${what}s`;
  return {
    kind: 'problem',
    problem: texts.length === 0 ? `No ${what} yet.` : `There ${there}. ${USAGE}`,
  };
}
