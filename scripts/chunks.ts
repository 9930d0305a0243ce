import {resolve} from 'node:path';
import type {ChunkingContext} from 'rolldown';

/**
 * What each start of the program or of the demo agent always loads: the modules that it imports dynamically on its way. Resolving and linking a
 * file costs about 0.2 ms, so modules that load together share a chunk; everything else stays in its own chunk until it is needed.
 */
const LOADED_BY: Readonly<Record<string, readonly string[]>> = {
  main: ['src/main.ts'],
  command: ['src/cli/program.ts'],
  window: ['src/modes/window/interactive.ts', 'components/start.tsx'],
  session: ['src/modes/window/run-window.ts', 'src/conversation/connection/connect-protocol.ts'],
  print: [
    'src/modes/print/print-mode.ts',
    'src/conversation/connection/connect-protocol.ts',
    'src/storage/database/database.ts',
    'src/storage/sessions/session-store.ts',
    'src/storage/sessions/record-session.ts',
    'src/storage/sessions/stored-session.ts',
  ],
  service: ['src/modes/commands/service/service-run.ts', 'src/conversation/connection/connect-protocol.ts'],
  demo: ['src/demo/main.ts'],
};

/** Returns the chunk of a module: the names of all starts that load it; undefined leaves it to the bundler. */
export function chunkOf(id: string, context: ChunkingContext): string | undefined {
  const loads = (start: string) => loadedBy(start, context).has(id);
  // A session opens in a window, which has loaded these already: they need no chunk without those that a session loads, too.
  const isCommon = loads('window') && loads('print');
  const starts = Object.keys(LOADED_BY).filter((start) => loads(start) || (isCommon && start === 'session'));
  // All starts load the imports of the entry itself.
  return starts.includes('main') ? 'main' : starts.join('-') || undefined;
}

const known = new Map<string, ReadonlySet<string>>();

function loadedBy(start: string, context: ChunkingContext): ReadonlySet<string> {
  const before = known.get(start);
  if (before) return before;
  const modules = new Set<string>();
  const waiting = (LOADED_BY[start] ?? []).map((file) => resolve(file));
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (modules.has(id)) continue;
    const info = context.getModuleInfo(id);
    if (!info) throw new Error(`${id} is no module of the bundle: correct the list in scripts/chunks.ts`);
    modules.add(id);
    waiting.push(...info.importedIds);
  }
  known.set(start, modules);
  return modules;
}
