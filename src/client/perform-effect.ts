import type {Effect} from '../app/effects.ts';
import {HINT_MS} from '../app/hint-time.ts';
import {failureSentence} from '../errors.ts';
import type {Result} from '../failure.ts';
import {concernsAgents} from './agent-chooser.ts';
import {perform, type Performer} from './perform.ts';
import {concernsSessions, performSessions} from './perform-sessions.ts';
import type {SessionPerformer} from './session-performer.ts';
import {concernsWire, type WireEffect} from './wire-viewer.ts';

export interface WindowPerformer extends Performer, SessionPerformer {
  readonly showWire: (effect: WireEffect) => Promise<void>;
}

/** Does what the window wants done, each kind in its place. A failure of what concerns sessions or agents is told near the prompt. */
export function performEffect(effect: Effect, performer: WindowPerformer): void {
  if (concernsWire(effect)) void performer.showWire(effect);
  else if (concernsAgents(effect)) tellFailure(performer.sessions.chooser.perform(effect), performer);
  else if (concernsSessions(effect)) tellFailure(performSessions(effect, performer), performer);
  else perform(effect, performer);
}

function tellFailure(doing: Promise<Result<unknown> | undefined>, {store}: Pick<Performer, 'store'>): void {
  void doing.then((done) => {
    if (!done || done.ok) return;
    const text = failureSentence(done.failure);
    store.dispatch({type: 'hint_shown', text, until: Date.now() + HINT_MS});
  });
}
