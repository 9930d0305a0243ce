import {setImmediate as macrotask} from 'node:timers/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {RULE_EFFECTS} from '../../session/requests/permission-rules.ts';
import {hookLabel} from '../../session/settings/hooks.ts';
import {fail, type Failure} from '../../shared/failure.ts';
import {settledUnless, settledWithin} from '../../shared/timers/settled-within.ts';
import {inform, type ConversationContext, type SessionHooks} from '../context.ts';
import type {SessionSink} from '../options.ts';
import {steerTurn} from '../prompt/turns.ts';
import {eventInputs, requestInput, sessionEnd, type HookInput} from './hook-inputs.ts';
import {createHookRunner, logHook, type HookRunner, type FinishedHook} from './hook-runner.ts';

/** How long the end of a session waits for its hooks, in milliseconds. */
const END_MS = 5000;
/** Characters that are shown of what the agent gets. */
const MAX_SHOWN = 400;

/** Creates the hooks of a session; they run as its options say at each event. */
export function createSessionHooks(contextOf: () => ConversationContext): SessionHooks {
  const runner = createHookRunner(contextOf);
  /** For the next prompt. */
  let waiting: readonly ForAgent[] = [];
  /** What the last prompt has taken of it. */
  let taken: readonly ForAgent[] = [];
  /** The hooks of the last event; those of the next one run after them. */
  let last: Promise<unknown> = Promise.resolve();

  async function tellAgent(texts: readonly ForAgent[]): Promise<void> {
    if (texts.length === 0) return;
    // After the response that it explains.
    await macrotask();
    const context = contextOf();
    if (!texts.every(isForOpen(context))) return;
    const added = context.sink.state().agent?.steers ? await steerTurn(context, texts.map(block)) : undefined;
    if (!added?.ok || added.value === 'refused') waiting = [...waiting, ...texts];
    else for (const each of texts) logAdded(context, each);
  }

  return {
    isEmpty: () => runner.hooks().length === 0,
    async run(input) {
      if (input.event === 'SessionStart') waiting = [];
      const ofOpen = withSession(contextOf(), input);
      const begin = async () => tellAgent((await runner.run(ofOpen)).flatMap(forAgent));
      // It is no news later.
      if (input.event === 'Notification') return begin();
      last = last.then(begin).catch(() => undefined);
      await last;
    },
    async beforePrompt(content) {
      taken = [];
      const stopped = runner.stopping();
      const prompt = content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n');
      // What earlier ones have for the agent comes first.
      await settledUnless(last, stopped);
      const ran = await runner.run({event: 'UserPromptSubmit', names: [], fields: {prompt}});
      const no = ran.find(({answer}) => answer.effect === 'deny');
      if (no) return fail(blocked(contextOf(), prompt, no));
      // A command of the agent would not be one with more text.
      if (stopped.aborted || prompt.startsWith('/')) return {ok: true, value: content};
      taken = waiting.filter(isForOpen(contextOf()));
      const texts = [...taken, ...ran.flatMap(forAgent)];
      waiting = [];
      for (const each of texts) {
        inform(contextOf(), `Added to the prompt by the ${hookLabel(each.hook)}: ${shortened(each.text)}`);
        logAdded(contextOf(), each);
      }
      return {ok: true, value: [...content, ...texts.map(block)]};
    },
    notSent() {
      waiting = [...taken, ...waiting];
      taken = [];
    },
    stop: (why) => runner.stop(why),
    async decide(asked, signal) {
      const ran = await runner.run(requestInput(asked), signal);
      const effect = RULE_EFFECTS.find((each) => ran.some(({answer}) => answer.effect === each));
      const decided = effect && ran.find(({answer}) => answer.effect === effect);
      // The answer to any other request has the reason.
      void tellAgent(ran.filter((each) => asked.isRequest || each !== decided).flatMap(forAgent));
      if (asked.isMany && effect !== 'deny')
        return ran.length > 0 ? {effect: 'ask', by: 'hooks, for which these are too many files'} : undefined;
      if (!effect || !decided) return undefined;
      return {effect, by: [hookLabel(decided.hook), decided.answer.reason].filter(Boolean).join(': ')};
    },
    close: () => endHooks(contextOf(), runner, last),
  };
}

/** Waits for the hooks of the session and of its end; a user who leaves does not wait for long. */
async function endHooks(
  {sink, options}: ConversationContext,
  runner: HookRunner,
  last: Promise<unknown>,
): Promise<void> {
  const why = 'the session ended';
  await (options.hasUser ? settledWithin(last, END_MS) : last);
  runner.stop(why);
  const isOpen = sink.state().sessionId !== undefined;
  if (isOpen) await settledWithin(runner.run(sessionEnd('exit')), END_MS);
  runner.stop(why);
}

/** Returns the same sink, whose events run hooks. */
export function withHooks(sink: SessionSink, hooks: SessionHooks): SessionSink {
  return {
    ...sink,
    emit(event) {
      const before = sink.state();
      sink.emit(event);
      for (const input of eventInputs(event, before, sink.state())) void hooks.run(input);
    },
  };
}

/** Logs that a prompt was blocked, and returns the failure. */
function blocked(
  {sink, options}: ConversationContext,
  prompt: string,
  {hook, answer}: FinishedHook,
): Failure {
  const by = hookLabel(hook);
  const [title = ''] = prompt.trim().split('\n');
  const {sessionId = ''} = sink.state();
  const of = {sessionId, method: 'session/prompt', title, kind: 'other'} as const;
  options.permissions?.decided({...of, outcome: 'rejected', by});
  return {kind: 'prompt_blocked', by, reason: answer.reason};
}

/** A text for the agent, and who says it. */
interface ForAgent extends Pick<FinishedHook, 'hook' | 'sessionId'> {
  readonly text: string;
}

function logAdded(context: ConversationContext, {hook, text}: ForAgent): void {
  logHook(context, hook, {outcome: 'added', characters: text.length});
}

/** Notes the session of an event; its hooks may have to wait until another one is open. */
function withSession({sink}: ConversationContext, input: HookInput): HookInput {
  return {...input, fields: {session_id: sink.state().sessionId, ...input.fields}};
}

/** Returns whether a text is for the session that is open: its hook may have ended when another one is. */
function isForOpen({sink}: ConversationContext): (said: ForAgent) => boolean {
  const open = sink.state().sessionId;
  return ({sessionId}) => sessionId === open;
}

/** What a hook has for the agent. */
function forAgent({hook, sessionId, answer}: FinishedHook): readonly ForAgent[] {
  const {context, effect, reason} = answer;
  const refused = effect === 'deny' ? reason : undefined;
  return [context, refused].flatMap((text) => (text === undefined ? [] : [{hook, sessionId, text}]));
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}

/** Without its command, which may contain a secret. */
function block({hook, text}: ForAgent): acp.ContentBlock {
  return {type: 'text', text: `From a ${hook.event} hook of the user's client:\n${text}`};
}
