import type {Effect, SessionCall} from '../../app/effects.ts';
import {TOAST_MS, activeSession} from '../../app/sessions.ts';
import {promptBlock} from '../../session/content/pasted-text.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure} from '../../shared/failure.ts';
import {contentEffects} from './content-effects.ts';
import {promptEffects} from './prompt-effects.ts';
import {reviewEffects} from './review-effects.ts';
import {settingEffects} from './setting-effects.ts';
import type {EffectContext, EffectHandlers, EffectOutcome, SessionContext} from './effect-context.ts';
import {copyToClipboard, performExport} from './export-effects.ts';
import {requestEffects} from './request-effects.ts';
import {sessionEffects} from './session-effects.ts';
import {viewEffects} from './view-effects.ts';

/** How long the toast of a failed action is shown, in milliseconds. */
const FAILURE_MS = 8000;

/** Runs an effect. Failures never end the window, and effects of a closed session are dropped. */
export function runEffect(effect: Effect, context: EffectContext): void {
  const {store, log, report} = context;
  const key = 'key' in effect ? effect.key : undefined;
  const tab = key === undefined ? undefined : store.latest().sessions[key];
  const name = effect.kind === 'call' ? effect.action : effect.kind;
  if (key !== undefined && !tab) return log('info', `${name} dropped: session ${key} is closed`);
  // Effects that are not of a session do not use these two.
  const ofSession = {
    ...context,
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

/** An answer that was not taken can be given again. A prompt that the background service did not take, because it is gone, is in no queue: it goes back into the draft. */
function takeBack({key, action, args}: SessionCall, store: EffectContext['store']): void {
  if (action === 'answer') store.dispatch({type: 'request_not_taken', id: args[0]}, 'urgent');
  if (action !== 'changeQueue' || args[0].kind !== 'submit') return;
  const prompt = {...args[0].prompt, id: 'not-taken'};
  store.dispatch({type: 'prompt_returned', key, prompt, at: performance.now()}, 'urgent');
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
  open_beside: ({prompt: text}, {store, sessions}) => {
    const {key, session} = activeSession(store.latest());
    const {additionalDirectories} = session;
    const options = sessions.optionsOf(key);
    void sessions.open({options: {...options, additionalDirectories, opening: {kind: 'new'}}});
    if (text === '') return;
    const prompt = {text, content: [promptBlock(text, [])]};
    void sessions.clientOf(store.latest().active).changeQueue({kind: 'submit', prompt, place: 'last'});
  },
  close_session: ({session}, {sessions}) => sessions.close(session),
  mark_session_closed: ({row}, {storage}) => storage.sessions.settle(row),
  ...contentEffects,
  ...promptEffects,
  ...requestEffects,
  ...reviewEffects,
  ...sessionEffects,
  ...settingEffects,
  ...viewEffects,
};
