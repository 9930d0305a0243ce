import type * as acp from '@agentclientprotocol/sdk/unstable';
import {reportedChanges} from '../../session/transcript/diffs.ts';
import {stepStatus} from '../../session/transcript/patches.ts';
import type {SessionState} from '../../session/state.ts';
import {sanitize} from '../../text/sanitize.ts';
import {unscrolled} from './scroll.ts';
import type {Overlay} from '../state.ts';

export type Page = Extract<Overlay, {kind: 'text'}>;

/** Returns a text page over the prompt. */
export function page(title: string, text: string): Page {
  return {kind: 'text', title, text, scroll: unscrolled};
}

/** Returns a page with the end of the agent's stderr, unchanged. */
export function logOverlay(stderrTail: string): Page {
  return page("The agent's stderr output", sanitize(stderrTail).trimEnd() || 'Empty.');
}

/** Returns the page of the files that tool calls changed. */
export function changesOverlay(session: SessionState): Overlay {
  return {kind: 'changes', changes: reportedChanges(session), scroll: unscrolled};
}

/** Returns the page of the plan, also after it has left the screen. */
export function planOverlay(session: SessionState): Page {
  return {...page('Plan', planText(session)), follows: 'plan'};
}

/** Returns the plans of the turn; without one, the most recent plan. */
export function planText(session: SessionState): string {
  const plans = session.plans.map((plan) => plan.content);
  const last = session.entries.findLast((entry) => entry.type === 'plan');
  const shown = plans.length > 0 ? plans : last ? [last.content] : [];
  return shown.map(contentText).join('\n\n') || 'No plan yet.';
}

const boxes: Readonly<Record<ReturnType<typeof stepStatus>, string>> = {
  completed: '[x]',
  cancelled: '[-]',
  in_progress: '[>]',
  pending: '[ ]',
};

function contentText(plan: acp.PlanUpdateContent): string {
  switch (plan.type) {
    case 'items':
      return plan.entries.map((entry) => `${boxes[stepStatus(entry)] ?? '[?]'} ${entry.content}`).join('\n');
    case 'markdown':
      return plan.content;
    case 'file':
      return plan.uri;
    default:
      return 'This kind of plan cannot be shown.';
  }
}
