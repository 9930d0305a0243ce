import type {SessionEvent, UpdateKind} from '../../session/events.ts';
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
/** What is counted anew in each turn. */
const OF_TURN: readonly LimitName[] = ['turnCost', 'turnMinutes', 'sameCall'];
/** What a report of usage changes. Tokens are counted when turns end. */
const OF_USAGE: readonly LimitName[] = ['turnCost', 'sessionCost', 'dayCost', 'dayTokens'];

/** Watches what turns use, see `Limits`. */
interface LimitWatch {
  /** Called after each event. */
  follow(event: SessionEvent): void;
  /** The limits in force, and what is used of them. */
  uses(): readonly LimitUse[];
}

/** The turn that reaches a limit is cancelled, and the user asked whether to go on for as much again: until then nothing that is queued is sent. Without a user, the turn just ends. */
export function createLimitWatch(contextOf: () => ConversationContext): LimitWatch {
  const limits = limitsInForce(contextOf);
  const noticed = new Set<LimitName>();
  /** The limit that the running turn, or else the last one, has reached. */
  let reached: LimitUse | undefined;
  /** True if the agent did not get the prompt of that turn. */
  let isUnsent = false;
  const question = createQuestion(contextOf, (use) => {
    limits.raise(use);
    noticed.delete(use.name);
  });
  let timer: NodeJS.Timeout | undefined;

  function check(only?: readonly LimitName[]): void {
    const context = contextOf();
    for (const use of limits.uses(only)) {
      if (reached) return;
      const {used = 0} = use;
      if (used >= use.limit) {
        reached = use;
        isUnsent = isWaiting(context.turn);
        question.hold();
        stopTurn(context, use);
      } else if (used >= use.limit * NEARLY && !noticed.has(use.name)) {
        noticed.add(use.name);
        inform(context, sentence(use));
      }
    }
  }

  /** A prompt that was typed instead of an answer is checked like any other. */
  function begin(): void {
    reached = undefined;
    question.withdraw();
    clearInterval(timer);
    for (const name of OF_TURN) noticed.delete(name);
    if (contextOf().options.limits?.turnMinutes !== undefined)
      timer = setInterval(check, SECOND, ['turnMinutes']).unref();
  }

  return {
    follow(event) {
      const isBegun = event.type === 'prompt_started';
      const isOver = event.type === 'prompt_ended';
      if (isBegun) begin();
      if (!contextOf().options.limits) return;
      if (isOver) clearInterval(timer);
      const isInTurn = contextOf().sink.state().turn.kind !== 'idle';
      const isUsage = isInTurn && isUpdate(event, 'usage_update');
      if (isBegun || isOver || isUsage) limits.readToday();
      // Nothing else changes what is used.
      if (isBegun || isOver) check();
      else if (isUsage) check(OF_USAGE);
      else if (isInTurn && isCall(event)) check(['sameCall']);
      if (isOver && reached) void question.ask(reached, isUnsent);
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
  if (context.sink.state().turn.kind !== 'idle') cancelTurn(context);
}

/** The limits of the options, as the user has raised them since. */
function limitsInForce(contextOf: () => ConversationContext) {
  let raised: Partial<Record<LimitName, number>> = {};
  let today: readonly UsageRow[] | undefined;
  let isUnreadableSaid = false;
  // What was read last still counts while it cannot be read.
  function readToday(): void {
    const context = contextOf();
    const {limits, usageToday} = context.options;
    if (!(limits?.dayCost ?? limits?.dayTokens)) return;
    const read = usageToday?.();
    if (read?.ok !== false) return void (today = read?.value);
    const now = dayOf(Date.now());
    today = today?.filter(({day}) => day === now);
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
    const limits: Limits = {...options.limits, ...raised};
    const counted = only ? Object.fromEntries(only.map((name) => [name, limits[name]])) : limits;
    return limitUses(sink.state(), counted, {at: Date.now(), today});
  }
  return {
    readToday,
    uses,
    newest(): readonly LimitUse[] {
      readToday();
      return uses();
    },
    raise({name, limit, used = 0}: LimitUse): void {
      // Calls are counted anew in each turn.
      if (name === 'sameCall') return;
      const more = contextOf().options.limits?.[name] ?? limit;
      raised = {...raised, [name]: Math.max(limit, used) + more};
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
