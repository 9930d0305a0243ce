import {hookLabel, isFor, type Hook} from '../../session/settings/hooks.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {errorMessage} from '../../shared/failure.ts';
import type {RunningProgram} from '../../host/shell/user-program.ts';
import {inform, warn, type ClientContext} from '../context.ts';
import type {HookInput} from './hook-inputs.ts';
import {answerOf, startHook, type HookAnswer, type HookJson} from './run-hook.ts';

/** A hook that runs longer is named on the screen, in milliseconds. */
const SHOWN_AFTER_MS = 2000;

/** A hook that has run, and what it said. */
export interface Ran {
  readonly hook: Hook;
  readonly answer: HookAnswer;
}

interface HookRunner {
  /** Returns all that there are now. */
  hooks(): readonly Hook[];
  /** Runs the hooks of an event side by side; never rejects. */
  run(input: HookInput, signal?: AbortSignal): Promise<readonly Ran[]>;
  killNow(): void;
}

/** Creates what runs the hooks of a session. */
export function createHookRunner(contextOf: () => ClientContext): HookRunner {
  const running = new Set<RunningProgram>();
  const reported = new Set<string>();

  async function runOne(hook: Hook, input: HookJson, signal?: AbortSignal): Promise<HookAnswer> {
    const answer = await attempt(hook, input, signal).catch((error: unknown) => ({
      problem: errorMessage(error),
    }));
    if (signal?.aborted) return {};
    const [label, context] = [hookLabel(hook), contextOf()];
    if ('problem' in answer) {
      const about = `${hook.event} ${label}`;
      if (!reported.has(about))
        warn(context, `The ${label} failed, and was ignored (${hook.event}): ${answer.problem}`);
      reported.add(about);
      return {};
    }
    if (answer.message !== undefined) inform(context, `${label}: ${answer.message}`);
    return answer;
  }

  async function attempt(
    hook: Hook,
    input: HookJson,
    signal?: AbortSignal,
  ): Promise<HookAnswer | {problem: string}> {
    const {sandbox: confining, options} = contextOf();
    // A program of the user's own that only tells them something needs the desktop.
    const isOutside = hook.source === 'user' && hook.event === 'Notification';
    const opened = isOutside ? undefined : await confining?.open();
    if (opened?.ok === false) return {problem: failureSentence(opened.failure)};
    if (signal?.aborted) return {};
    const program = startHook(hook, input, {cwd: options.cwd, sandbox: opened?.value});
    running.add(program);
    signal?.addEventListener('abort', program.kill, {once: true});
    const timer = setTimeout(inform, SHOWN_AFTER_MS, contextOf(), `Waiting for the ${hookLabel(hook)}.`);
    const answer = await answerOf(hook, program);
    clearTimeout(timer);
    signal?.removeEventListener('abort', program.kill);
    running.delete(program);
    return answer;
  }

  return {
    hooks: () => hooksOf(contextOf().options),
    run({event, names, fields}, signal) {
      const {sink, options} = contextOf();
      const {sessionId, agent} = sink.state();
      const input = {
        session_id: sessionId,
        cwd: options.cwd,
        hook_event_name: event,
        agent: {name: options.agent.label, claimed_name: agent?.name},
        ...fields,
      };
      const hooks = hooksOf(options).filter((hook) => hook.event === event && isFor(hook, names));
      return Promise.all(hooks.map(async (hook) => ({hook, answer: await runOne(hook, input, signal)})));
    },
    killNow() {
      for (const {kill} of running) kill();
    },
  };
}

function hooksOf({permissions, cwd}: ClientContext['options']): readonly Hook[] {
  return permissions?.hooks(cwd) ?? [];
}
