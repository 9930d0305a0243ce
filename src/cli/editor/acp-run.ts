import {resolve} from 'node:path';
import {Readable, Writable} from 'node:stream';
import {ndJsonStream} from '@agentclientprotocol/sdk/unstable';
import {buildCatalog, canStart, localAgents} from '../../agents/catalog.ts';
import {agentsFolder} from '../../agents/install/installed.ts';
import {agentWanted, settingsOfFolder} from '../../bootstrap/run-options.ts';
import {createEditorAgent} from '../../editor/editor-agent.ts';
import type {EditorServices} from '../../editor/open-sessions.ts';
import {quietConsole} from '../../protocol/quiet-console.ts';
import {connectService} from '../../service/service-client.ts';
import {openDatabase} from '../../storage/database/database.ts';
import {createLog} from '../../storage/log.ts';
import {findPaths, logFile} from '../../storage/paths.ts';
import {openSessionStore} from '../../storage/sessions/session-store.ts';
import {DEFAULTS} from '../../storage/settings/settings-schema.ts';
import {readSettings} from '../../storage/settings/settings.ts';
import type {CommonOptions} from '../options.ts';

/** Runs `acp-tui acp`: is an agent on standard input and output until the editor closes them. Resolves to the exit code. */
export async function acpRun(given: CommonOptions): Promise<number> {
  const paths = findPaths();
  const file = given.logFile ?? (given.save ? logFile(paths) : undefined);
  const log = createLog({file, level: given.logLevel ?? 'info', env: process.env, now: Date.now});
  // Standard output has nothing but messages.
  quietConsole(log.write);
  const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const {app, end} = createEditorAgent(servicesOf(withAbsolutePaths(given), paths));
  const connection = app.connect(ndJsonStream(output, input));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => connection.close());
  await connection.closed;
  await end();
  log.flush();
  return 0;
}

function servicesOf(given: CommonOptions, paths: ReturnType<typeof findPaths>): EditorServices {
  const {state, config} = paths;
  return {
    given,
    state,
    connect: () => connectService(state),
    agents(cwd) {
      const read = settingsOfFolder({cwd}, readSettings(config));
      const configured = read.settings.agents ?? {};
      const local = localAgents({configured, agents: agentsFolder(paths), path: process.env['PATH']});
      const all = buildCatalog({...local, registry: []}).filter(canStart);
      return {all, usual: agentWanted(given, read) ?? DEFAULTS.agent};
    },
    async stored() {
      const database = openDatabase(state, {onDamaged: () => undefined});
      try {
        const store = openSessionStore({state, database, onProblem: () => undefined});
        await store.reindex();
        const listed = store.list();
        return listed.ok ? listed.value : [];
      } finally {
        database.close();
      }
    },
  };
}

/** The sessions have folders of their own. */
function withAbsolutePaths(given: CommonOptions): CommonOptions {
  const absolute = (paths: readonly string[]) => paths.map((path) => resolve(path));
  const {additionalDirectories, mcpConfig} = given;
  return {
    ...given,
    additionalDirectories: absolute(additionalDirectories),
    mcpConfig: [...absolute(mcpConfig)],
  };
}
