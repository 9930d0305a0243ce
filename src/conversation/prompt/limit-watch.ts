import type {SessionEvent, UpdateKind} from '../../session/events.ts';
import {isAgentBusy} from '../../session/lifecycle/live.ts';
import {limitUses, type LimitName, type Limits, type LimitUse} from '../../session/settings/limits.ts';
import {dayOf, type UsageRow} from '../../session/settings/usage.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {inform, type ConversationContext} from '../context.ts';
import {changeQueue, returnPrompt} from './send-queued.ts';
import {isWaiting} from './turn-phases.ts';
import {cancelTurn} from './turns.ts';

/** The share of a limit from which on a notice says what is used. */
const NEARLY = 0.8;
const SECOND = 1000;
/** What is counted anew in each turn, and on each day. */
const OF_TURN: readonly LimitName[] = ['turnCost', 'turnMinutes', 'sameCall'];
const OF_DAY: readonly LimitName[] = ['dayCost', 'dayTokens', 'dayTurns'];
/** What goes on while nothing happens. */
const OF_TIME: readonly LimitName[] = ['turnMinutes', 'sessionMinutes'];
/** What only one more prompt goes beyond: the turn that reaches it ends as any other. */
const OF_PROMPTS: ReadonlySet<LimitName> = new Set(['sessionTurns', 'dayTurns']);
/** What a report of usage changes. Tokens are counted when turns end. */
const OF_USAGE: readonly LimitName[] = ['turnCost', 'sessionCost', 'dayCost', 'dayTokens'];

/** Watches what turns use, and the agent between them, see `Limits`. */
interface LimitWatch {
  /** Called after each event. */
  follow(event: SessionEvent): void;
  /** The limits in force, and what is used of them. */
  uses(): readonly LimitUse[];
}

/** What the agent does when a limit is reached is cancelled, and the user asked whether to go on for as much again: until then nothing that is queued is sent. Without a user, the turn just ends. */
export function createLimitWatch(contextOf: () => ConversationContext): LimitWatch {
  const limits = limitsInForce(contextOf);
  /** What has been reached since the last prompt, and the user has not agreed to. */
  let reached: LimitUse | undefined;
  /** True if the agent did not get the prompt of that turn. */
  let isUnsent = false;
  const question = createQuestion(contextOf, (use) => {
    limits.raise(use);
    reached = undefined;
  });
  /** Without a prompt, a session that is resumed only reports what it has used before. */
  let hasBegun = false;
  let timer: NodeJS.Timeout | undefined;

  function check(only?: readonly LimitName[]): void {
    const context = contextOf();
    for (const use of limits.uses(only)) {
      // Others still count after one of the turn, whose question they replace.
      if (reached && (!OF_TURN.includes(reached.name) || OF_TURN.includes(use.name))) continue;
      if (OF_PROMPTS.has(use.name) && !isWaiting(context.turn)) continue;
      const {used = 0} = use;
      if (used >= use.limit) {
        reached = use;
        isUnsent = isWaiting(context.turn);
        question.withdraw();
        question.hold();
        stopTurn(context, use);
      } else if (used >= use.limit * NEARLY && !limits.noticed.has(use.name)) {
        limits.noticed.add(use.name);
        inform(context, sentence(use));
      }
    }
  }

  /** A prompt that was typed instead of an answer is checked like any other. */
  function begin(): void {
    hasBegun = true;
    reached = undefined;
    question.withdraw();
    clearInterval(timer);
    limits.forget(OF_TURN);
    const {limits: given = {}} = contextOf().options;
    if (OF_TIME.some((name) => given[name] !== undefined))
      timer = setInterval(check, SECOND, OF_TIME).unref();
  }

  return {
    follow(event) {
      const isBegun = event.type === 'prompt_started';
      const isOver = event.type === 'prompt_ended';
      if (isBegun) begin();
      if (!contextOf().options.limits) return;
      if (isOver) clearInterval(timer);
      const isInTurn = contextOf().sink.state().turn.kind !== 'idle';
      const isUsage = hasBegun && isUpdate(event, 'usage_update');
      const before = reached;
      if (isBegun || isOver || isUsage) limits.readToday();
      // Nothing else changes what is used.
      if (isBegun || isOver) check();
      else if (isUsage) check(OF_USAGE);
      else if (isInTurn && isCall(event)) check(['sameCall']);
      if (reached && (isOver || (!isInTurn && reached !== before))) void question.ask(reached, isUnsent);
    },
    uses: () => limits.newest(),
  };
}

/** Asks whether to go on. The queue is held until that is answered, also if another question takes its place. */
function createQuestion(contextOf: () => ConversationContext, onAgreed: (use: LimitUse) => void) {
  let open: AbortController | undefined;
  let isQueueHeld = false;
  /** Called before the turn is cancelled, which pauses the queue, too. */
  function hold(): void {
    const context = contextOf();
    if (!context.options.hasUser) return;
    isQueueHeld ||= !context.sink.state().queue.isPaused;
    changeQueue(context, {kind: 'pause'});
  }
  async function ask(use: LimitUse, isUnsent: boolean): Promise<void> {
    const context = contextOf();
    const {host, sink, options} = context;
    if (!options.hasUser) return;
    const isReturned = isUnsent && !sink.state().queue.lastPrompt?.isSentOnce;
    const sendReturned = isReturned ? returnPrompt(context) : undefined;
    const yes = use.name === 'sameCall' ? 'Go on' : 'Go on, for as much again';
    const {signal: withdrawn} = (open = new AbortController());
    const asked = {title: 'Go on?', text: sentence(use), yes, no: 'Stop here', withdrawn};
    const isAgreed = await host.askUser(asked, sink.state().sessionId ?? '');
    if (withdrawn.aborted) return;
    const wasHeld = isQueueHeld;
    isQueueHeld = false;
    if (!isAgreed) return;
    onAgreed(use);
    sendReturned?.();
    if (wasHeld) changeQueue(context, {kind: 'resume'});
  }
  return {hold, ask, withdraw: () => open?.abort()};
}

function stopTurn(context: ConversationContext, use: LimitUse): void {
  const text = sentence(use);
  context.sink.emit({type: 'notice', level: 'warning', text, isLimit: true, at: Date.now()});
  if (isAgentBusy(context.sink.state())) cancelTurn(context);
}

/** The limits of the options, as the user has raised them since, and those that a notice has said are nearly reached. */
function limitsInForce(contextOf: () => ConversationContext) {
  const raised = new Map<LimitName, number>();
  const noticed = new Set<LimitName>();
  let day: string | undefined;
  let today: readonly UsageRow[] | undefined;
  let isUnreadableSaid = false;
  function forget(names: readonly LimitName[]): void {
    for (const name of names) {
      raised.delete(name);
      noticed.delete(name);
    }
  }
  // What was read last still counts while it cannot be read.
  function readToday(): void {
    const context = contextOf();
    const {limits, usageToday} = context.options;
    if (!OF_DAY.some((name) => limits?.[name])) return;
    const now = dayOf(Date.now());
    if (day !== now) forget(OF_DAY);
    day = now;
    const read = usageToday?.();
    if (read?.ok !== false) return void (today = read?.value);
    today = today?.filter((row) => row.day === now);
    if (isUnreadableSaid) return;
    isUnreadableSaid = true;
    const why = failureSentence(read.failure);
    inform(
      context,
      `What all sessions have used today cannot be read: ${why} The limits of the day may not hold.`,
    );
  }
  function uses(only?: readonly LimitName[]): readonly LimitUse[] {
    const {sink, options} = contextOf();
    const limits: Limits = {...options.limits, ...Object.fromEntries(raised)};
    const counted = only ? Object.fromEntries(only.map((name) => [name, limits[name]])) : limits;
    return limitUses(sink.state(), counted, {at: Date.now(), today});
  }
  return {
    noticed,
    forget,
    readToday,
    uses,
    newest(): readonly LimitUse[] {
      readToday();
      return uses();
    },
    raise({name, limit, used = 0}: LimitUse): void {
      noticed.delete(name);
      // The next turn may use as much anyway.
      if (OF_TURN.includes(name)) return;
      raised.set(name, Math.max(limit, used) + (contextOf().options.limits?.[name] ?? limit));
    },
  };
}

function isCall(event: SessionEvent): boolean {
  return isUpdate(event, 'tool_call') || isUpdate(event, 'tool_call_update');
}

function isUpdate(event: SessionEvent, kind: UpdateKind): boolean {
  return event.type === 'session_update' && event.update.sessionUpdate === kind;
}

function sentence({name, text}: LimitUse): string {
  return `${text} (limits.${name}).`;
}
