import type {SessionEvent} from '../session/events.ts';
import {currentModel} from '../session/selectors.ts';
import {dayOf, type UsageRow} from '../session/settings/usage.ts';
import type {CostBefore, SessionState} from '../session/state.ts';
import type {Result} from '../shared/failure.ts';
import {costSince} from '../session/transcript/turns.ts';
import {openDatabase} from './database/database.ts';
import type {Sql} from './database/sqlite.ts';

/** The most cost, and the most tokens, that are counted at once: a damaged number must not hide what else was used. */
const MOST = 1e12;

/** Counts what a session uses as soon as it is reported, in a turn or not: other sessions have the same limits of a day. */
export function createUsageCounter(agentLabel: string, transact: (action: (sql: Sql) => void) => void) {
  /** What the session had cost when it was counted last. */
  let counted: CostBefore;
  let turn: number | undefined;

  function add(state: SessionState, at: number, used: Partial<UsageRow>): void {
    const row = {currency: '', turns: 0, cost: 0, tokens: 0, uncounted: 0, ...used};
    const agent = state.agent?.title ?? state.agent?.name ?? agentLabel;
    const place = [dayOf(at), agent, currentModel(state)?.name ?? '', state.cwd, row.currency];
    transact((sql) => sql.run(ADD, ...place, row.turns, row.cost, row.tokens, row.uncounted));
  }

  return (event: SessionEvent, state: SessionState): void => {
    if (event.type === 'prompt_started') turn = event.turn;
    const cost = state.usage?.cost;
    const more = event.type === 'session_update' ? costSince(counted, cost) : undefined;
    if (more && more.amount > 0)
      add(state, event.at, {cost: Math.min(more.amount, MOST), currency: more.currency});
    counted = cost ?? counted ?? (state.turn.kind === 'idle' ? undefined : state.turn.costAtStart);
    if (event.type !== 'prompt_ended' || event.turn !== turn) return;
    turn = undefined;
    if (event.isUnsent) return;
    const {cost: ofTurn, usage} = state.lastTurn ?? {};
    const tokens = usage ? {tokens: Math.min(usage.totalTokens, MOST)} : {uncounted: 1};
    add(state, event.at, {turns: 1, currency: ofTurn?.currency ?? '', ...tokens});
  };
}

// Larger whole numbers could not be read.
const ADD = `
  INSERT INTO usage (day, agent, model, folder, currency, turns, cost, tokens, uncounted)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (day, agent, model, folder, currency) DO UPDATE SET
    turns = turns + excluded.turns, cost = cost + excluded.cost,
    tokens = MIN(tokens + excluded.tokens, ${Number.MAX_SAFE_INTEGER}),
    uncounted = uncounted + excluded.uncounted`;

/** Returns what was used since a day. */
export function readUsage(sql: Sql, since: string): readonly UsageRow[] {
  return sql.all('SELECT * FROM usage WHERE day >= ? ORDER BY day', since) as UsageRow[];
}

/** Returns a function that reads what all sessions have used today. A damaged database is left to those who can say so. */
export function usageToday(state: string): () => Result<readonly UsageRow[]> {
  let database: ReturnType<typeof openDatabase> | undefined;
  return () => {
    database ??= openDatabase(state);
    return database.use((sql) => readUsage(sql, dayOf(Date.now())));
  };
}
