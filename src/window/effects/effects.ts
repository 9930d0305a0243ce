import {type Effect, type SessionCall} from '../../app/effects.ts';
import {TOAST_MS} from '../../app/sessions.ts';
import type {QueueChange} from '../../session/queue/queue-changes.ts';
import type {NewPrompt} from '../../session/queue/queued-prompt.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure} from '../../shared/failure.ts';
import {boardEffects} from './board-effects.ts';
import {commitEffects} from './commit-effects.ts';
import {contentEffects} from './content-effects.ts';
import {handoffEffects} from './handoff-effects.ts';
import {promptEffects} from './prompt-effects.ts';
import {reviewEffects} from './review-effects.ts';
import {settingEffects} from './setting-effects.ts';
import {compareEffects} from '../compare/compare-effects.ts';
import type {
  EffectContext,
  EffectHandlers,
  EffectOutcome,
  SessionContext,
  WindowContext,
} from './effect-context.ts';
import {copyToClipboard, performExport} from './export-effects.ts';
import {requestEffects} from './request-effects.ts';
import {sessionEffects} from './session-effects.ts';
import {viewEffects} from './view-effects.ts';
import {worktreeEffects} from './worktree-effects.ts';

/** How long the toast of a failed action is shown, in milliseconds. */
const FAILURE_MS = 8000;

/** How many effects have begun. */
let count = 0;

/** Runs an effect. Failures never end the window, and effects of a closed session are dropped. */
export function runEffect(effect: Effect, context: WindowContext): void {
  const {store, log, report} = context;
  const key = 'key' in effect ? effect.key : undefined;
  const began = store.latest();
  const tab = key === undefined ? undefined : began.sessions[key];
  const name = effect.kind === 'call' ? effect.action : effect.kind;
  if (key !== undefined && !tab) return log('info', `${name} dropped: session ${key} is closed`);
  // Effects that are not of a session do not use these two.
  const ofSession = {
    ...context,
    began,
    asked: ++count,
    tab,
    get client() {
      return context.sessions.clientOf(key ?? '');
    },
  } as SessionContext;
  settle(effect, ofSession).catch((error: unknown) => {
    report(error, {doing: name, ...(key !== undefined && {key})});
  });
}

type Run = (effect: Effect, context: SessionContext) => EffectOutcome | Promise<EffectOutcome>;

/** Those of the screen and of a replay have no handler here. */
async function settle(effect: Effect, context: SessionContext): Promise<void> {
  const run = (HANDLERS as Readonly<Record<string, Run | undefined>>)[effect.kind];
  const done = await run?.(effect, context);
  if (!done || done.ok || isListed(done.failure, effect, context)) return;
  const text = failureSentence(done.failure);
  const of = 'key' in effect ? effect.key : undefined;
  const until = performance.now() + (of === undefined ? TOAST_MS : FAILURE_MS);
  context.store.dispatch({type: 'toast_shown', text, until, of});
}

/** The list of sign-in methods shows it while it is open. */
function isListed(failure: Failure, effect: Effect, {store}: EffectContext): boolean {
  if (!('key' in effect)) return false;
  const connection = store.latest().sessions[effect.key]?.session.connection;
  return failure.kind === 'authentication_required' && connection?.kind === failure.kind;
}

/** An answer that was not taken can be given again. Prompts that the background service did not take, because it is gone, are in no queue: they go back into the draft. */
function takeBack({key, action, args}: SessionCall, store: EffectContext['store']): void {
  if (action === 'answer') store.dispatch({type: 'request_not_taken', id: args[0]}, 'urgent');
  if (action !== 'changeQueue') return;
  // Each goes in front of the draft.
  for (const prompt of promptsIn(args[0]).toReversed()) {
    const returned = {...prompt, id: 'not-taken'};
    store.dispatch({type: 'prompt_returned', key, prompt: returned, at: performance.now()}, 'urgent');
  }
}

/** Returns the prompts that a change adds to a queue. */
function promptsIn(change: QueueChange): readonly NewPrompt[] {
  if (change.kind === 'restore') return change.prompts;
  return change.kind === 'submit' ? [change.prompt] : [];
}

const HANDLERS: EffectHandlers = {
  async call(effect, {client, store}) {
    const run: (...args: never) => EffectOutcome | Promise<EffectOutcome> = client[effect.action];
    const done = await run(...(effect.args as never));
    if (done && !done.ok) takeBack(effect, store);
    return done;
  },
  quit: (_, {quit}) => quit(),
  show_wire: (_, {inspector}) => inspector.show(),
  show_exchange: ({index}, {inspector}) => inspector.showExchange(index),
  save_history: ({text}, {storage}) => storage.saveHistory(text),
  copy: copyToClipboard,
  export_session: performExport,
  find_agents: ({ask}, {sessions}) => sessions.chooser.find(ask),
  choose_agent: ({id}, {sessions}) => sessions.chooser.choose(id),
  install_agent: ({id}, {sessions}) => sessions.chooser.install(id),
  stop_installing: (_, {sessions}) => sessions.chooser.stop(),
  find_sessions: ({scope}, {sessions}) => sessions.finder.find(scope),
  ask_agents: (_, {sessions}) => sessions.finder.askAll(),
  mark_session_closed: ({row}, {storage}) => storage.sessions.settle(row),
  ...commitEffects,
  ...contentEffects,
  ...handoffEffects,
  ...promptEffects,
  ...requestEffects,
  ...reviewEffects,
  ...sessionEffects,
  ...boardEffects,
  ...settingEffects,
  ...viewEffects,
  ...worktreeEffects,
  ...compareEffects,
};
