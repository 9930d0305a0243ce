import {buildCatalog, canStart, localAgents} from '../../agents/catalog.ts';
import {agentsFolder, type Paths} from '../../shared/files/paths.ts';
import {createCommandLibrary} from '../../conversation/prompt/command-library.ts';
import type {CommonOptions} from '../../cli/options.ts';
import type {EditorServices} from './open-sessions.ts';
import {connectService, type ServiceClient} from '../../service/service-client.ts';
import {openStored} from '../../storage/sessions/session-store.ts';
import {readSettings} from '../../settings/settings.ts';
import {selectedAgent, sessionStart, settingsOfFolder, startSeconds} from '../start/run-options.ts';

/** Returns what the sessions of an editor need: the service, or what runs them in this process; the agents on this computer, and the stored sessions. */
export function editorServices(
  options: CommonOptions,
  paths: Paths,
  own?: {readonly connect: () => ServiceClient},
): EditorServices {
  const {state, config} = paths;
  const {given, environment} = sessionStart(options);
  const commands = createCommandLibrary(paths);
  return {
    // The editor has been told that its prompt failed.
    given: {...given, waitForLimits: false},
    environment,
    startSeconds: startSeconds(environment),
    state,
    connect: async () => (own ? {ok: true, value: own.connect()} : connectService(state)),
    agents(cwd) {
      const read = settingsOfFolder({cwd}, readSettings(config));
      const configured = read.settings.agents ?? {};
      const local = localAgents({configured, agents: agentsFolder(paths), path: process.env['PATH']});
      const all = buildCatalog({...local, registry: []}).filter(canStart);
      return {all, usual: selectedAgent(given, read)};
    },
    commands: async (cwd) => commands.list(cwd),
    markRead(id) {
      const {database, store} = openStored({state, onProblem() {}});
      store.markRead(id);
      database.close();
    },
    async stored() {
      const {database, store} = openStored({state, onProblem() {}});
      try {
        await store.reindex();
        const listed = store.list();
        return listed.ok ? listed.value : [];
      } finally {
        database.close();
      }
    },
  };
}
