import {localAgents} from './agents/catalogue/local-agents.ts';
import {agentsFolder} from './agents/install/store.ts';
import {openRegistry, REGISTRY_URL} from './agents/registry/registry.ts';
import {signalCode} from './cli/exit-codes.ts';
import type {AgentsCommand} from './cli/agents/commands.ts';
import {createMask} from './persistence/mask.ts';
import {findPaths} from './persistence/paths.ts';
import {readSettings} from './persistence/settings.ts';
import {openSubcommandIo} from './subcommand-io.ts';
import {runAgentsCommand} from './subcommands/agents/run.ts';

/** `acp-tui agents …` in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function agentsRun(command: AgentsCommand): Promise<number> {
  const io = openSubcommandIo();
  const paths = findPaths();
  const {config, cache} = paths;
  const agents = agentsFolder(paths);
  const {settings, problems} = readSettings(config);
  for (const problem of problems) io.warn(problem);
  const path = process.env['PATH'];
  const off = new AbortController();
  // Once: whoever asks again wants it to end at once.
  process.once('SIGINT', () => off.abort());
  const exitCode = await runAgentsCommand(command, {
    ...io,
    signal: off.signal,
    config,
    agents,
    local: localAgents({configured: settings.agents ?? {}, agents, path}),
    registry: openRegistry({url: settings.registry?.url ?? REGISTRY_URL, cache, now: Date.now}),
    now: Date.now,
    cwd: process.cwd(),
    path,
    mask: createMask(process.env),
  });
  return io.end(off.signal.aborted ? signalCode('SIGINT') : exitCode);
}
