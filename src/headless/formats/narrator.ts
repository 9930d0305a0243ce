import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Include} from '../../cli/options.ts';
import type {Update} from '../../session/events.ts';
import {spokenText} from '../answer.ts';
import type {RunResult} from '../schema.ts';
import type {Step} from './format.ts';
import {createLineWriter, type LineWriter} from './line-writer.ts';
import {noticeLine, planLines, planText, usageLine} from './text-lines.ts';
import {createToolNarrator} from './tool-narrator.ts';

/** Tells in lines what happens beside the answer. */
export interface Narrator {
  onStep(step: Step): void;
  /** Ends a line that is still open, before something else is shown. */
  flush(): void;
  tellUsage(usage: RunResult['usage']): void;
}

export function createNarrator(include: ReadonlySet<Include>, tell: (line: string) => void): Narrator {
  const tools = createToolNarrator(include, tell);
  const thoughts = createLineWriter('thought', tell);
  const outside = createLineWriter('notice', tell);

  function flush(): void {
    thoughts.flush();
    outside.flush();
  }

  function stream(writer: LineWriter, content: acp.ContentBlock): void {
    (writer === thoughts ? outside : thoughts).flush();
    writer.push(spokenText(content) ?? '');
  }

  /** True when the update is text that streams. */
  function streamed(update: Update, inTurn: boolean): boolean {
    if (update.sessionUpdate === 'agent_message_chunk' && !inTurn) stream(outside, update.content);
    else if (update.sessionUpdate === 'agent_thought_chunk' && include.has('thoughts'))
      stream(thoughts, update.content);
    else return false;
    return true;
  }

  function tellUpdate(update: Update): void {
    if (update.sessionUpdate === 'notice') {
      const {severity, title, description} = update;
      tell(noticeLine(severity, description ? `${title}: ${description}` : title));
    } else if (include.has('plan')) {
      for (const line of linesOfPlan(update)) tell(line);
    }
  }

  return {
    onStep({event, state}) {
      if (event.type === 'session_update') {
        if (streamed(event.update, state.turn.kind !== 'idle')) return;
        flush();
        tools.onUpdate(event.update, state);
        tellUpdate(event.update);
      } else if (event.type === 'notice') tell(noticeLine(event.level, event.text));
      else if (event.type === 'elicitation_refused') tell(noticeLine('warning', event.text));
      else if (event.type === 'prompt_started') flush();
      else if (event.type === 'prompt_ended') {
        flush();
        tools.endAll(state);
      }
    },
    flush,
    tellUsage: (usage) => tell(usageLine(usage)),
  };
}

/** The plan that an update brings: its steps, its text, or the file that it is in. */
function linesOfPlan(update: Update): readonly string[] {
  if (update.sessionUpdate === 'plan') return planLines(update.entries);
  if (update.sessionUpdate !== 'plan_update') return [];
  const {plan} = update;
  switch (plan.type) {
    case 'items':
      return planLines(plan.entries);
    case 'markdown':
      return planText(plan.content);
    case 'file':
      return planText(plan.uri);
    default:
      return [];
  }
}
