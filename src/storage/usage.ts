import type {SessionEvent} from '../session/events.ts';
import {currentModel} from '../session/selectors.ts';
import {dayOf, type UsageRow} from '../session/settings/usage.ts';
import type {SessionState} from '../session/state.ts';
import type {Result} from '../shared/failure.ts';
import {costOfTurn} from '../session/transcript/turns.ts';
import {openDatabase} from './database/database.ts';
import type {Sql} from './database/sqlite.ts';

/** The most cost, and the most tokens, that are counted of a turn: a damaged number must not hide what else was used. */
const MOST = 1e12;

/** Counts what the turns of a session use, as they use it: other sessions have the same limits of a day. */
export function createUsageCounter(agentLabel: string, transact: (action: (sql: Sql) => void) => void) {
  /** The running turn, and what is counted of its cost. */
  let open: {readonly turn: number; readonly counted: number} | undefined;

  function add(state: SessionState, at: number, used: Partial<UsageRow>): void {
    const row = {currency: '', turns: 0, cost: 0, tokens: 0, uncounted: 0, ...used};
    const agent = state.agent?.title ?? state.agent?.name ?? agentLabel;
    const place = [dayOf(at), agent, currentModel(state)?.name ?? '', state.cwd, row.currency];
    transact((sql) => sql.run(ADD, ...place, row.turns, row.cost, row.tokens, row.uncounted));
  }

  return (event: SessionEvent, state: SessionState): void => {
    if (event.type === 'prompt_started') open = {turn: event.turn, counted: 0};
    if (!open) return;
    if (event.type === 'session_update' && event.update.sessionUpdate === 'usage_update') {
      const cost = costOfTurn(state);
      const amount = amountOf(cost);
      const more = amount - open.counted;
      if (!cost || more <= 0) return;
      open = {...open, counted: amount};
      add(state, event.at, {cost: more, currency: cost.currency});
    }
    if (event.type !== 'prompt_ended' || event.turn !== open.turn) return;
    const {cost, usage} = state.lastTurn ?? {};
    const rest = Math.max(0, amountOf(cost) - open.counted);
    const tokens = usage ? {tokens: Math.min(usage.totalTokens, MOST)} : {uncounted: 1};
    open = undefined;
    add(state, event.at, {turns: 1, cost: rest, currency: cost?.currency ?? '', ...tokens});
  };
}

function amountOf(cost: {readonly amount: number} | undefined): number {
  return Math.min(cost?.amount ?? 0, MOST);
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
