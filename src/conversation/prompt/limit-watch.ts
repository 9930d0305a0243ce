import type {SessionEvent, UpdateKind} from '../../session/events.ts';
import {limitUses, type LimitUse} from '../../session/settings/limits.ts';
import {inform, type ConversationContext} from '../context.ts';
import {changeQueue} from './send-queued.ts';
import {cancelTurn} from './turns.ts';

/** The share of a limit from which on a notice says what is used. */
const NEARLY = 0.8;
const SECOND = 1000;
/** What is counted anew in each turn. */
const OF_TURN: readonly LimitUse['name'][] = ['turnCost', 'turnMinutes', 'sameCall'];

const USING: ReadonlySet<UpdateKind> = new Set(['usage_update', 'tool_call', 'tool_call_update']);

/**
 * Watches what turns use, see `Limits`: call the function that it returns after each event. The turn that reaches a limit is cancelled, and the user asked
 * whether to go on for as much again: until then nothing that is queued is sent. Without a user, the turn just ends.
 */
export function createLimitWatch(contextOf: () => ConversationContext): (event: SessionEvent) => void {
  let limits: ConversationContext['options']['limits'];
  const noticed = new Set<LimitUse['name']>();
  let reached: LimitUse | undefined;
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const context = contextOf();
    for (const use of limitUses(context.sink.state(), limits ?? {}, Date.now())) {
      if (reached) return;
      if (use.used >= use.limit) stop(context, use);
      else if (use.used >= use.limit * NEARLY && !noticed.has(use.name)) {
        noticed.add(use.name);
        inform(context, sentence(use));
      }
    }
  }

  function stop(context: ConversationContext, use: LimitUse): void {
    reached = use;
    const text = sentence(use);
    context.sink.emit({type: 'notice', level: 'warning', text, isLimit: true, at: Date.now()});
    if (context.sink.state().turn.kind !== 'idle') cancelTurn(context);
  }

  async function ask(use: LimitUse): Promise<void> {
    const context = contextOf();
    const {host, sink, options} = context;
    if (!options.hasUser) return void (reached = undefined);
    const wasPaused = sink.state().queue.isPaused;
    changeQueue(context, {kind: 'pause'});
    const yes = use.name === 'sameCall' ? 'Go on' : 'Go on, for as much again';
    const question = {title: 'Go on?', text: sentence(use), yes, no: 'Stop here'};
    const isAgreed = await host.askUser(question, sink.state().sessionId ?? '');
    reached = undefined;
    if (!isAgreed) return;
    // Calls are counted anew in each turn.
    if (use.name !== 'sameCall')
      limits = {...limits, [use.name]: use.limit + (options.limits?.[use.name] ?? use.limit)};
    noticed.delete(use.name);
    if (!wasPaused) changeQueue(context, {kind: 'resume'});
  }

  function begin(): void {
    limits ??= contextOf().options.limits;
    for (const name of OF_TURN) noticed.delete(name);
    if (limits?.turnMinutes !== undefined) timer = setInterval(check, SECOND).unref();
  }

  return (event) => {
    const isBegun = event.type === 'prompt_started';
    const isOver = event.type === 'prompt_ended';
    if (isBegun) begin();
    if (!limits) return;
    if (isOver) clearInterval(timer);
    const isInTurn = contextOf().sink.state().turn.kind !== 'idle';
    // Nothing else changes what is used.
    if (isBegun || isOver || (isInTurn && isUse(event))) check();
    if (isOver && reached) void ask(reached);
  };
}

function isUse(event: SessionEvent): boolean {
  return event.type === 'session_update' && USING.has(event.update.sessionUpdate);
}

function sentence({name, text}: LimitUse): string {
  return `${text} (limits.${name}).`;
}
