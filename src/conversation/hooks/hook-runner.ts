import type {HookRecord} from '../../session/requests/permission-rules.ts';
import {hookLabel, type Hook} from '../../session/settings/hooks.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {errorMessage} from '../../shared/failure.ts';
import {inform, warn, type ConversationContext} from '../context.ts';
import type {HookInput} from './hook-inputs.ts';
import {matchesName} from './matches-name.ts';
import {answerOf, startHook, type HookOutput, type HookJson} from './run-hook.ts';

/** A hook that runs longer is named on the screen, in milliseconds. */
const SHOWN_AFTER_MS = 2000;

/** Events at which a hook decides. */
const DECIDES = new Set<Hook['event']>(['UserPromptSubmit', 'PermissionRequest']);

/** A hook that has run, and what it said. */
export interface FinishedHook {
  readonly hook: Hook;
  readonly answer: HookOutput;
  /** The session that was open when its event happened. */
  readonly sessionId: string | undefined;
}

export interface HookRunner {
  /** Returns all that there are now. */
  hooks(): readonly Hook[];
  /** Runs the hooks of an event side by side; never rejects. What was stopped has said nothing. */
  run(input: HookInput, signal?: AbortSignal): Promise<readonly FinishedHook[]>;
  /** Aborts when the hooks that run now are stopped. */
  stopping(): AbortSignal;
  /** Stops the hooks that run, synchronously; `why` is for the log. */
  stop(why: string): void;
}

interface Run {
  readonly hook: Hook;
  readonly input: HookJson;
  readonly signal: AbortSignal;
}

/** Creates what runs the hooks of a session. */
export function createHookRunner(contextOf: () => ConversationContext): HookRunner {
  let stopping = new AbortController();
  const reported = new Set<string>();

  async function runOne(hook: Hook, input: HookJson, signal: AbortSignal): Promise<HookOutput> {
    const answer = await attempt(contextOf, {hook, input, signal}).catch((error: unknown) => ({
      problem: errorMessage(error),
    }));
    if (signal.aborted) return {};
    const [label, context] = [hookLabel(hook), contextOf()];
    const isFailed = 'problem' in answer;
    const said = isFailed || !answer.effect || !DECIDES.has(hook.event) ? {} : {said: answer.effect};
    const did = isFailed
      ? ({outcome: 'failed', why: answer.problem} as const)
      : ({outcome: 'ran', ...said} as const);
    logHook(context, hook, {...did, sessionId: input.session_id});
    if (isFailed) {
      const about = `${hook.event} ${label}`;
      if (!reported.has(about))
        warn(context, `The ${label} failed, and was ignored (${hook.event}): ${answer.problem}`);
      reported.add(about);
      return {};
    }
    if (answer.message !== undefined) inform(context, `${label}: ${answer.message}`);
    return answer;
  }

  return {
    hooks: () => hooksOf(contextOf().options),
    stopping: () => stopping.signal,
    stop(why) {
      stopping.abort(why);
      stopping = new AbortController();
    },
    run({event, names, fields}, withdrawn) {
      const signal = withdrawn ? AbortSignal.any([stopping.signal, withdrawn]) : stopping.signal;
      const json = jsonFor(contextOf(), event, fields);
      const hooks = hooksOf(contextOf().options).filter(
        (hook) => hook.event === event && matchesName(hook.matcher, names),
      );
      const {session_id: sessionId} = json;
      return Promise.all(
        hooks.map(async (hook) => ({hook, sessionId, answer: await runOne(hook, json, signal)})),
      );
    },
  };
}

/** Runs a hook until it ends or is stopped. */
async function attempt(
  contextOf: () => ConversationContext,
  {hook, input, signal}: Run,
): Promise<HookOutput | {problem: string}> {
  const {sandbox: confining, options} = contextOf();
  // A program of the user's own that only tells them something needs the desktop.
  const isOutside = hook.source === 'user' && hook.event === 'Notification';
  const opened = isOutside ? undefined : await confining?.open();
  if (opened?.ok === false) return {problem: failureSentence(opened.failure)};
  if (signal.aborted) return {};
  const program = startHook(hook, input, {...options, sandbox: opened?.value});
  // At once: nothing may be left to log when it has ended.
  const stop = () => {
    program.kill();
    const why = typeof signal.reason === 'string' ? signal.reason : 'its request was cancelled';
    logHook(contextOf(), hook, {outcome: 'stopped', why, sessionId: input.session_id});
  };
  signal.addEventListener('abort', stop, {once: true});
  const timer = setTimeout(inform, SHOWN_AFTER_MS, contextOf(), `Waiting for the ${hookLabel(hook)}.`);
  const answer = await answerOf(hook, program);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  return answer;
}

/** Logs what a hook did, in the session of the event, by default the open one. */
export function logHook(
  {sink, options}: ConversationContext,
  hook: Hook,
  {sessionId = sink.state().sessionId ?? '', ...did}: HookDeed,
): void {
  const method = `hook/${hook.event}` as const;
  options.permissions?.hookRan({sessionId, method, by: hookLabel(hook), ...did});
}

type HookDeed = Omit<HookRecord, 'at' | 'sessionId' | 'method' | 'by'> & {
  readonly sessionId?: string | undefined;
};

function jsonFor(
  {sink, options}: ConversationContext,
  event: HookInput['event'],
  fields: HookInput['fields'],
): HookJson {
  const {sessionId, agent} = sink.state();
  return {
    session_id: sessionId,
    cwd: options.cwd,
    hook_event_name: event,
    agent: {name: options.agent.label, claimed_name: agent?.name},
    ...fields,
  };
}

function hooksOf({permissions, cwd}: ConversationContext['options']): readonly Hook[] {
  return permissions?.hooks(cwd) ?? [];
}
