import {setImmediate as nextTurn} from 'node:timers/promises';
import * as z from 'zod/mini';
import {buildCatalog, availableUpdate} from '../../agents/catalog.ts';
import type {AppEvent} from '../../app/events.ts';
import type {AppState} from '../../app/state.ts';
import {addNotice} from '../../window/notices.ts';
import type {ListedAgents} from '../../window/agents/agent-lister.ts';
import {stateFile} from '../../shared/files/json-file.ts';
import type {Store} from '../../shared/store.ts';

interface UpdateNoticeContext {
  readonly agents: Pick<ListedAgents, 'local' | 'registry'>;
  /** The state folder. */
  readonly state: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const DAY_MS = 86_400_000;
const file = stateFile('updates-told.json', z.object({at: z.number()}));

/** Returns a notice about installed agents that are outdated by the cached registry, once a day; undefined for none. Never downloads. */
export function updatesToReport({agents, state, now}: UpdateNoticeContext): string | undefined {
  const local = agents.local();
  if (local.installed.length === 0 || now - (file.read(state)?.at ?? 0) < DAY_MS) return undefined;
  const entries = buildCatalog({...local, registry: agents.registry.cached()?.entries ?? []});
  const updates = entries.flatMap((entry) => {
    const version = availableUpdate(entry);
    return version === undefined
      ? []
      : [`${entry.name} ${version} (${entry.installed?.version} is installed)`];
  });
  if (updates.length === 0) return undefined;
  // If it cannot be stored, the notice is shown again.
  file.write(state, {at: now});
  return `Updates available: ${updates.join(', ')}. Install them with: acp-tui agents update`;
}

/** Shows the update notice in the active session after startup. */
export async function showUpdateNotice(
  store: Store<AppState, AppEvent>,
  surroundings: Omit<UpdateNoticeContext, 'now'>,
): Promise<void> {
  await nextTurn();
  const text = updatesToReport({...surroundings, now: Date.now()});
  if (text !== undefined) addNotice(store, text, {level: 'info'});
}
