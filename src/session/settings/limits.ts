import {compactNumber, cost, duration} from '../../text/format.ts';
import {isJsonObject} from '../../text/json.ts';
import type {ToolCallEntry, TurnSummary} from '../entries.ts';
import {toolTitle} from '../labels/tool-labels.ts';
import {memoize} from '../memoize.ts';
import {sumOfUsage, type UsageRow} from './usage.ts';
import {costOfTurn} from '../transcript/turns.ts';
import type {SessionState} from '../state.ts';

/** What a turn or a session may use before it is stopped; undefined for any amount. */
export interface Limits {
  /** In the currency of the agent. */
  readonly turnCost?: number | undefined;
  readonly turnMinutes?: number | undefined;
  /** In the currency of the agent. */
  readonly sessionCost?: number | undefined;
  /** Of all turns that have ended. */
  readonly sessionTokens?: number | undefined;
  /** Those that the agent got the prompt of. */
  readonly sessionTurns?: number | undefined;
  /** Of all turns together. */
  readonly sessionMinutes?: number | undefined;
  /** Of all sessions of a day, in the currency of the agent. */
  readonly dayCost?: number | undefined;
  readonly dayTokens?: number | undefined;
  readonly dayTurns?: number | undefined;
  /** How often in a row a turn may make the same call with the same input; 0 for any number of times. */
  readonly sameCall?: number | undefined;
}

export type LimitName = keyof Limits;

/** A limit that is set, and what of it is used. */
export interface LimitUse {
  readonly name: LimitName;
  /** Undefined if it is not known, as with an agent that does not report its cost. */
  readonly used: number | undefined;
  readonly limit: number;
  /** Both in words. */
  readonly amounts: string;
  /** A sentence with both, without its end. */
  readonly text: string;
}

const MINUTE = 60_000;

/** What limits depend on beside the session. */
interface Now {
  readonly at: number;
  /** What all sessions have used today; undefined if that is not known. */
  readonly today: readonly UsageRow[] | undefined;
}

interface LimitKind {
  readonly used: (state: SessionState, now: Now) => number | undefined;
  readonly text: (used: string, limit: string, state: SessionState) => string;
  readonly inWords: (amount: number, currency: string) => string;
}

const minutes = (amount: number) => duration(amount * MINUTE);
const money = (amount: number, currency: string) => cost({amount, currency});

const KINDS: Readonly<Record<LimitName, LimitKind>> = {
  turnCost: {
    used: (state) => costOfTurn(state)?.amount,
    text: (used, limit) => `This turn has cost ${used} of ${limit}`,
    inWords: money,
  },
  turnMinutes: {
    used: (state, {at}) => (state.turn.kind === 'idle' ? undefined : runningMs(state, at) / MINUTE),
    text: (used, limit) => `This turn has taken ${used} of ${limit}`,
    inWords: minutes,
  },
  sessionCost: {
    used: ({usage}) => usage?.cost?.amount,
    text: (used, limit) => `This session has cost ${used} of ${limit}`,
    inWords: money,
  },
  sessionTokens: {
    used: (state) => sum(endedTurns(state), ({usage}) => usage?.totalTokens ?? 0),
    text: (used, limit) => `This session has used ${used} of ${limit} tokens`,
    inWords: compactNumber,
  },
  sessionTurns: {
    used: (state) => sum(endedTurns(state), ({isUnsent}) => (isUnsent ? 0 : 1)),
    text: (used, limit) => `This session has had ${used} of ${limit} turns`,
    inWords: compactNumber,
  },
  sessionMinutes: {
    used: (state, {at}) =>
      (sum(endedTurns(state), ({durationMs}) => durationMs) + runningMs(state, at)) / MINUTE,
    text: (used, limit) => `The turns of this session have taken ${used} of ${limit}`,
    inWords: minutes,
  },
  dayCost: {
    used: (state, {today}) => today && (sumOfUsage(today).costs[currencyOf(state)] ?? 0),
    text: (used, limit) => `All sessions of today have cost ${used} of ${limit}`,
    inWords: money,
  },
  dayTokens: {
    used: (_, {today}) => today && sumOfUsage(today).tokens,
    text: (used, limit) => `All sessions of today have used ${used} of ${limit} tokens`,
    inWords: compactNumber,
  },
  dayTurns: {
    used: (_, {today}) => today && sumOfUsage(today).turns,
    text: (used, limit) => `All sessions of today have had ${used} of ${limit} turns`,
    inWords: compactNumber,
  },
  sameCall: {
    used: (state) => sameCalls(state).length,
    text: (used, limit, state) =>
      `The same call was made ${used} of ${limit} times in a row: ${titleOfLast(state)}`,
    inWords: String,
  },
};

/** Returns the limits that are set, and what is used of each now. */
export function limitUses(state: SessionState, limits: Limits, now: Now): readonly LimitUse[] {
  const currency = currencyOf(state);
  return (Object.keys(KINDS) as LimitName[]).flatMap((name) => {
    const {[name]: limit} = limits;
    const kind = KINDS[name];
    if (!limit) return [];
    const used = kind.used(state, now);
    const [most, part] = [limit, used ?? 0].map((amount) => kind.inWords(amount, currency)) as [
      string,
      string,
    ];
    const amounts = used === undefined ? `${most}, used: unknown` : `${part} of ${most}`;
    return [{name, used, limit, amounts, text: kind.text(part, most, state)}];
  });
}

function currencyOf({usage}: SessionState): string {
  return usage?.cost?.currency ?? 'USD';
}

function runningMs({turn}: SessionState, at: number): number {
  return turn.kind === 'idle' ? 0 : at - turn.startedAt;
}

function endedTurns({entries}: SessionState): readonly TurnSummary[] {
  return entries.slice().flatMap((entry) => (entry.type === 'turn_end' ? [entry.summary] : []));
}

function sum(turns: readonly TurnSummary[], amountOf: (turn: TurnSummary) => number): number {
  return turns.reduce((before, turn) => before + amountOf(turn), 0);
}

/** Returns the last calls of the turn that are the same, newest first. A call whose input the agent has not sent is like no other. */
function sameCalls({entries, turn}: SessionState): readonly ToolCallEntry[] {
  const calls: ToolCallEntry[] = [];
  if (turn.kind === 'idle') return calls;
  for (let place = entries.length - 1; place > turn.promptEntry; place--) {
    const entry = entries.get(place);
    if (entry?.type !== 'tool_call') continue;
    const [last = entry] = calls;
    if (!isSameCall(entry, last)) break;
    calls.push(entry);
  }
  return calls;
}

function isSameCall(one: ToolCallEntry, other: ToolCallEntry): boolean {
  const input = inputOf(one);
  return (
    input !== undefined && input === inputOf(other) && one.kind === other.kind && one.name === other.name
  );
}

/** Undefined if there is none, or not all of it yet: many agents send an empty one first, and the rest in parts. */
function inputOf({rawInput, status}: ToolCallEntry): string | undefined {
  if (status === 'pending') return undefined;
  if (typeof rawInput === 'string' && rawInput !== '') return rawInput;
  return isJsonObject(rawInput) && Object.keys(rawInput).length > 0 ? jsonText(rawInput) : undefined;
}

const jsonText = memoize((input: object) => JSON.stringify(input));

function titleOfLast(state: SessionState): string {
  const [last] = sameCalls(state);
  return last ? toolTitle(last) : '';
}
