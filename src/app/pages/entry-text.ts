import type * as acp from '@agentclientprotocol/sdk/unstable';
import {terminalText} from '../../export/text.ts';
import type {Entry} from '../../session/entries.ts';
import {plainResult} from '../../session/labels/result-rows.ts';
import {resultText} from '../../session/labels/result-text.ts';
import {shownContent} from '../../session/labels/shown-content.ts';
import {messageText} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import {textOfPart} from '../../session/transcript/content.ts';
import type {Viewer} from './viewer-state.ts';

/** A text to copy, and how it is called. */
interface EntryText {
  readonly text: string;
  readonly what: string;
}

const MESSAGES = {
  user_message: 'the prompt',
  agent_message: 'the answer',
  agent_thought: 'the thought',
} as const;

/** Returns the text of the entry that was jumped to, else of the topmost one on the screen that has any; at the end of the transcript, the last answer. */
export function textInView(session: SessionState, {selected, position}: Viewer): EntryText | undefined {
  const {entries} = session;
  const at = selected ?? (position.from === 'entry' ? position.id : undefined);
  const first =
    at === undefined && position.from === 'end'
      ? entries.findLastIndex(({type}) => type === 'agent_message')
      : Math.max(
          0,
          entries.findLastIndex(({id}) => id === at),
        );
  const last = selected === undefined ? entries.length - 1 : first;
  for (let index = first; index <= last; index++) {
    const entry = entries.get(index);
    const found = entry && textOf(entry, session);
    if (found && found.text !== '') return found;
  }
  return undefined;
}

/** The source of a message, or the output of a call or command. */
function textOf(entry: Entry, {terminals}: SessionState): EntryText | undefined {
  switch (entry.type) {
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
      return {text: messageText(entry).trim(), what: MESSAGES[entry.type]};
    case 'tool_call': {
      const parts = shownContent(entry, terminals).map((part) => partText(part, terminals));
      const texts = [...parts, plainResult(resultText(entry))].filter((text) => text !== '');
      return {text: texts.join('\n\n'), what: 'the output'};
    }
    case 'shell_command':
      return {text: outputOf(entry.terminalId, terminals), what: 'the output'};
    default:
      return undefined;
  }
}

function partText(part: acp.ToolCallContent, terminals: SessionState['terminals']): string {
  if (part.type === 'terminal') return outputOf(part.terminalId, terminals);
  return part.type === 'diff' ? part.newText : plainResult(textOfPart(part) ?? '').trim();
}

function outputOf(id: string, terminals: SessionState['terminals']): string {
  const terminal = terminals.get(id);
  return terminal ? terminalText(terminal) : '';
}
