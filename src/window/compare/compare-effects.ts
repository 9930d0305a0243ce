import {comparisonPicker} from '../../app/commands/compare-command.ts';
import {applyReaction, type EffectOf} from '../../app/effects.ts';
import {submitPrompt} from '../../app/queue/queue.ts';
import {GUARD_MS} from '../../app/requests/request-phase.ts';
import {meantIn} from '../../app/commands/behind-slashes.ts';
import {isQuiet} from '../../app/sessions.ts';
import type {ComparedSession, SessionKey, Tab} from '../../app/state.ts';
import {missingProgramFailure} from '../../agents/launch.ts';
import type {ConversationOptions} from '../../conversation/options.ts';
import {stopReasonLabel} from '../../session/labels/labels.ts';
import {connectionFailure} from '../../session/lifecycle/connection.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {fail, type Result} from '../../shared/failure.ts';
import {pluralize} from '../../text/format.ts';
import {
  notify,
  showPicker,
  type EffectContext,
  type EffectHandlers,
  type NewWorktree,
} from '../effects/effect-context.ts';
import {addNotice} from '../notices.ts';
import {whenEnded} from './when-ended.ts';
import {isConfinedBeside} from '../../session/settings/sandbox.ts';

type Comparison = EffectOf<'compare_agents'>;

/** An agent that can be started, and its options. */
interface Contestant {
  readonly agent: string;
  readonly options: ConversationOptions;
}

export const compareEffects = {
  async compare_agents(effect, context) {
    const {store} = context;
    const contestants = await contestantsOf(effect, context);
    if (!contestants.ok) return contestants;
    notify(context, 'Creating the worktrees…');
    const worktrees = await worktreesOf(contestants.value, effect, context);
    if (!worktrees.ok) return worktrees;
    const finished: ComparedSession[] = [];
    const compared = worktrees.value.map(async (each, place) => {
      finished[place] = await compareOne(each, effect, context);
      const comparison = finished.filter(Boolean);
      store.dispatch({type: 'changed', change: {comparison}});
      if (comparison.length < worktrees.value.length)
        notify(context, `${each.agent} has finished: /compare shows what it did.`);
    });
    notify(context, `${pluralize(compared.length, 'agent')} at work, each in a session of its own.`);
    await Promise.all(compared);
    const at = performance.now();
    const began = store.latest();
    if (isQuiet(began, at)) return showPicker({store, began}, comparisonPicker(finished, at + GUARD_MS));
    return notify(context, 'All agents have finished: /compare compares them.');
  },
} satisfies Partial<EffectHandlers>;

/** Fails with the first agent that cannot be started, before any is. */
async function contestantsOf(
  {agents: names, session}: Comparison,
  {agents, sessions, store}: EffectContext,
): Promise<Result<readonly Contestant[]>> {
  const {cwd} = sessions.optionsOf(session);
  const isConfined = isConfinedBeside(store.latest().sessions[session]?.session ?? {});
  const found: Contestant[] = [];
  for (const agent of names) {
    const options = await agents.optionsFor(agent, {cwd, additionalDirectories: [], isConfined});
    if (!options.ok) return options;
    const missing = missingProgramFailure(options.value.agent, options.value.environment);
    if (missing) return fail(missing);
    found.push({agent, options: options.value});
  }
  return {ok: true, value: found};
}

type InWorktree = Contestant & {readonly worktree: NewWorktree};

/** Creates a worktree for each, or for none. */
async function worktreesOf(
  contestants: readonly Contestant[],
  {prompt}: Comparison,
  {openWorktree}: EffectContext,
): Promise<Result<readonly InWorktree[]>> {
  const made: InWorktree[] = [];
  for (const contestant of contestants) {
    const opened = await openWorktree(contestant.options, {prompt: `${contestant.agent} ${prompt}`});
    if (!opened.ok) {
      for (const {worktree} of made) await worktree.discard();
      return opened;
    }
    made.push({...contestant, worktree: opened.value});
  }
  return {ok: true, value: made};
}

/** Opens the session of an agent beside those that are open, and sends the prompt; resolves when its turn has ended, to what it did. */
async function compareOne(
  {agent, options: base, worktree}: InWorktree,
  {session, prompt, check}: Comparison,
  context: EffectContext,
): Promise<ComparedSession> {
  const {sessions, store, settings} = context;
  const {cwd, notices, problems, record} = worktree;
  const options = {...base, cwd, additionalDirectories: []};
  const {promise: added, resolve: onAdded} = Promise.withResolvers<SessionKey>();
  void sessions.open({options, problems, worktree}, {isBehind: true, onAdded});
  const key = await added;
  const asked = store.latest().sessions[session];
  for (const notice of notices) addNotice(store, notice, {level: 'info', key});
  applyReaction(submitPrompt(key, asked ? meantIn(asked, prompt) : {text: prompt}), store, sessions.perform);
  const tab = await whenEnded(key, store);
  const {examineCompared} = await import('../../worktrees/compare/examine-compared.ts');
  const closed = new AbortController();
  const isOpen = () => store.latest().sessions[key] !== undefined;
  const stop = store.onEvent(() => void (isOpen() || closed.abort()));
  if (!isOpen()) closed.abort();
  const {signal: ended} = closed;
  const tell = (text: string) => addNotice(store, text, {key});
  const {state} = settings;
  const changes = await examineCompared(record, {state, check, options, ended, tell}).finally(stop);
  return {key, agent, worktree: record.name, ...turnOf(tab), ...changes};
}

function turnOf(tab: Tab | undefined): Pick<ComparedSession, 'error' | 'durationMs' | 'tokens' | 'cost'> {
  const session = tab?.session;
  const lastTurn = session?.lastTurn;
  return {
    error: tab ? errorOf(tab) : 'closed',
    durationMs: lastTurn?.durationMs ?? 0,
    tokens: lastTurn?.usage?.totalTokens ?? null,
    cost: session?.usage?.cost ?? null,
  };
}

function errorOf({session: {connection, lastTurn}}: Tab): string | null {
  const failure = connectionFailure(connection);
  if (failure) return failureSentence(failure);
  const outcome = lastTurn?.outcome;
  if (outcome?.kind === 'failed') return failureSentence(outcome.failure);
  if (outcome?.stopReason === 'end_turn') return null;
  return (lastTurn && stopReasonLabel(lastTurn)) ?? 'not finished';
}
