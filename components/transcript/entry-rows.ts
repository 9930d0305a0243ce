import type {Entry, EntryType} from '../../src/session/entries.ts';
import type {Theme} from '../theme/theme.tsx';
import {wrapHanging} from '../layout/lines.ts';
import {rowsOfToolCall} from '../tool-call/tool-call.ts';
import {rowsOfShellCommand} from '../tool-call/shell-command.ts';
import {rowsOfContentBlocks} from './message.ts';
import {rowsOfSessionMessage} from './session-message.ts';
import {rowsOfThought} from './thought.ts';
import {rowsOfUserMessage} from './user-message.ts';
import {rowsOfPlan} from './plan.tsx';
import {rowsOfSubagent} from './subagent-card.ts';
import {rowsOfNotice} from './notice.ts';
import {rowsOfCompaction} from './compaction.ts';
import {rowsOfUnknownUpdate} from './unknown-update.ts';
import {rowsOfTurnEnd} from './turn-end.ts';
import {rowsOfFailure} from './failure.ts';
import {rowsOfElicitation} from './elicitation.ts';

/** Returns the rows of an entry of a type; `endedAt` is when the next entry followed a finished thought. */
type RowsOf<Type extends EntryType> = (
  entry: Extract<Entry, {type: Type}>,
  theme: Theme,
  endedAt: number | undefined,
) => readonly string[];

const ROWS_OF: {readonly [Type in EntryType]: RowsOf<Type>} = {
  user_message: rowsOfUserMessage,
  agent_message: ({content}, theme) => rowsOfContentBlocks(content, theme),
  agent_thought: rowsOfThought,
  tool_call: rowsOfToolCall,
  plan: rowsOfPlan,
  notice: rowsOfNotice,
  compaction: rowsOfCompaction,
  subagent: rowsOfSubagent,
  session_message: rowsOfSessionMessage,
  unknown: rowsOfUnknownUpdate,
  turn_end: rowsOfTurnEnd,
  failure: rowsOfFailure,
  shell_command: rowsOfShellCommand,
  elicitation: rowsOfElicitation,
};

/** Returns the rows of an entry, without surrounding blank lines. */
export function rowsOfEntry(entry: Entry, theme: Theme, endedAt?: number): readonly string[] {
  const rows = (ROWS_OF[entry.type] as RowsOf<EntryType>)(entry, theme, endedAt);
  // Notices are always the client's own.
  if (!entry.onlyHere || entry.type === 'notice') return rows;
  const note = wrapHanging(' ', "Local only: not in the agent's context.", theme);
  return [...rows, ...note.map((line) => theme.paint.dim(line))];
}
