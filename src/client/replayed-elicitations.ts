import {answersOf} from '../host/forms/elicitation-desk.ts';
import {readAsked} from '../host/forms/read-asked.ts';
import {readElicitation} from '../protocol/normalise/elicitation.ts';
import {methodOf, type Message} from '../recording/exchanges.ts';
import type {AskedElicitation, ElicitationOutcome} from '../session/forms/asked.ts';
import type {FormContent} from '../session/forms/fields.ts';
import type {ReplayedEvent} from './replayed-events.ts';

/** A recorded `elicitation/create`, by our id of it; nothing for one that was refused. */
export function elicitationRequested(id: string, params: unknown): readonly ReplayedEvent[] {
  const asked = readAsked(readElicitation(params));
  return typeof asked === 'string' ? [] : [{type: 'elicitation_requested', id, asked}];
}

/** How it was answered. That something at an address was done is not told again: then nothing waits for it. */
export function elicitationResolved(
  id: string,
  request: Message,
  {result}: Message,
): readonly ReplayedEvent[] {
  if (methodOf(request) !== 'elicitation/create') return [];
  const asked = readAsked(readElicitation(request['params']));
  if (typeof asked === 'string') return [];
  const {action, content} = (result ?? {}) as {readonly action?: string; readonly content?: FormContent};
  const outcome = OUTCOMES[action ?? ''] ?? 'withdrawn';
  const answers = outcome === 'accepted' ? answersOf(asked, content ?? {}) : [];
  const resolved: ReplayedEvent = {type: 'elicitation_resolved', id, outcome, answers};
  return isAddress(asked) ? [resolved, {type: 'elicitation_completed', id}] : [resolved];
}

const OUTCOMES: Readonly<Record<string, ElicitationOutcome>> = {
  accept: 'accepted',
  decline: 'declined',
  cancel: 'cancelled',
};

function isAddress({mode}: AskedElicitation): boolean {
  return mode === 'url';
}
