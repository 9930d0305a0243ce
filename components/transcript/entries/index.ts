import type {Entry, EntryType} from '../../../src/session/entries.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging} from '../../draw/lines.ts';
import {drawAgentMessage} from './agent-message.ts';
import {drawAgentThought} from './agent-thought.ts';
import {drawCompaction} from './compaction.ts';
import {drawElicitation} from './elicitation.ts';
import {drawFailure} from './failure.ts';
import {drawNotice} from './notice.ts';
import {drawPlan} from './plan.ts';
import {drawSessionMessage} from './session-message.ts';
import {drawShellCommand} from './shell-command.ts';
import {drawSubagent} from './subagent.ts';
import {drawToolCall} from './tool-call.ts';
import {drawTurnEnd} from './turn-end.ts';
import {drawUnknown} from './unknown.ts';
import {drawUserMessage} from './user-message.ts';

type EntryOf<Type extends EntryType> = Extract<Entry, {type: Type}>;

const drawers: {readonly [Type in EntryType]: (entry: EntryOf<Type>, draw: Draw) => string[]} = {
  user_message: drawUserMessage,
  agent_message: drawAgentMessage,
  agent_thought: drawAgentThought,
  tool_call: drawToolCall,
  plan: drawPlan,
  notice: drawNotice,
  compaction: drawCompaction,
  subagent: drawSubagent,
  session_message: drawSessionMessage,
  unknown: drawUnknown,
  turn_end: drawTurnEnd,
  failure: drawFailure,
  shell_command: drawShellCommand,
  elicitation: drawElicitation,
};

/** An entry as lines of at most `draw.columns` columns, without a blank line around them. */
export function drawEntry(entry: Entry, draw: Draw): string[] {
  const drawer = drawers[entry.type] as (entry: Entry, draw: Draw) => string[];
  const lines = drawer(entry, draw);
  // What we tell is ours anyway.
  return entry.onlyHere && entry.type !== 'notice' ? [...lines, ...drawMark(draw)] : lines;
}

function drawMark(draw: Draw): string[] {
  const text = 'Only here: the agent does not know of this.';
  return hanging(' ', text, draw).map((line) => draw.paint.dim(line));
}
