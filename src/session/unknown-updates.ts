import type {UnknownEntry} from './entries.ts';
import type {SessionState} from './state.ts';
import {appendEntry, replaceEntry} from './transcript.ts';

/** How much JSON one entry keeps, in UTF-16 units: enough to see what came, too little to fill the memory. */
const KEPT_JSON = 16 * 1024;

/** Shows an update of an unknown kind. Those that follow one another are counted in one entry, a kind each. */
export function appendUnknown(
  state: SessionState,
  {kind, json}: Pick<UnknownEntry, 'kind' | 'json'>,
  at: number,
): SessionState {
  for (let index = state.entries.length - 1; index >= state.sessionStart; index--) {
    const entry = state.entries.get(index);
    if (entry?.type !== 'unknown') break;
    if (entry.kind !== kind) continue;
    return replaceEntry(state, index, {...entry, count: entry.count + 1, json: added(entry.json, json)});
  }
  return appendEntry(state, {type: 'unknown', kind, count: 1, json: added('', json)}, at);
}

function added(kept: string, json: string): string {
  if (kept.length >= KEPT_JSON) return kept;
  const all = kept === '' ? json : `${kept}\n${json}`;
  return all.length > KEPT_JSON ? `${all.slice(0, KEPT_JSON)}…` : all;
}
