import {randomUUID} from 'node:crypto';
import {relative} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {CheckedCommand} from './command.ts';
import type {Place, Roots} from './roots.ts';

/** The options of the requests that the host makes itself. */
const OPTIONS: acp.PermissionOption[] = [
  {optionId: 'allow', name: 'Allow', kind: 'allow_once'},
  {optionId: 'reject', name: 'Reject', kind: 'reject_once'},
];

export type Asked = Omit<acp.ToolCallUpdate, 'toolCallId' | 'status'>;

/** A permission request in the agent's manner for what it does without asking, so that it shows on the same prompt. */
export function ownRequest(sessionId: acp.SessionId, asked: Asked): acp.RequestPermissionRequest {
  const toolCallId = `acp-tui-${randomUUID()}`;
  return {sessionId, toolCall: {...asked, toolCallId, status: 'pending'}, options: OPTIONS};
}

export function readToAsk({path}: Place, roots: Roots): Asked {
  return {title: `Read ${relative(roots.cwd, path) || path}`, kind: 'read', locations: [{path}]};
}

/** `oldText` is null where there is no file yet, undefined where what is there cannot be shown. */
export function writeToAsk(
  place: Place,
  roots: Roots,
  texts: {readonly oldText: string | null | undefined; readonly newText: string},
): Asked {
  const {path} = place;
  const {oldText = null, newText} = texts;
  const unseen = 'What the file holds now is not text, or too large to be shown. It will be lost.';
  return {
    title: `Write ${relative(roots.cwd, path) || path}`,
    kind: 'edit',
    locations: [{path}],
    content: [...(texts.oldText === undefined ? [text(unseen)] : []), {type: 'diff', path, oldText, newText}],
  };
}

export function commandToAsk(command: CheckedCommand, {env}: acp.CreateTerminalRequest, roots: Roots): Asked {
  const {line, cwd} = command;
  const variables = (env ?? []).map(({name, value}) => `${name}=${value}`);
  const where = cwd === roots.cwd ? [] : [`in ${cwd}`];
  const having = variables.length === 0 ? [] : ['with', ...variables];
  return {
    title: line,
    kind: 'execute',
    rawInput: {command: line, cwd, ...(env && {env})},
    content: [text([`$ ${line}`, ...where, ...having].join('\n'))],
  };
}

function text(words: string): acp.ToolCallContent {
  return {type: 'content', content: {type: 'text', text: words}};
}
