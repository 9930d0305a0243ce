import {localAgents} from '../../../agents/catalog.ts';
import {agentsFolder, findPaths} from '../../../shared/files/paths.ts';
import {openRegistry, REGISTRY_URL} from '../../../agents/registry.ts';
import {createMask} from '../../../shared/mask.ts';
import {readSettings} from '../../../settings/settings.ts';
import {problemTexts} from '../../../settings/setting-problems.ts';
import {signalCode} from '../../../cli/exit-codes.ts';
import {openSubcommandIo} from '../../../cli/terminal-io.ts';
import type {AgentsContext} from './agent-lookup.ts';
import type {AgentsCommand} from './agents-arguments.ts';

/** Runs `acp-tui agents …` in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function agentsRun(command: AgentsCommand): Promise<number> {
  const io = openSubcommandIo();
  const paths = findPaths();
  const {config, cache} = paths;
  const agents = agentsFolder(paths);
  const {settings, problems} = readSettings(config);
  for (const problem of problemTexts(problems)) io.warn(problem);
  const path = process.env['PATH'];
  const off = new AbortController();
  // Once: a second Ctrl+C ends the program at once.
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

/** Runs the parsed command; resolves to the exit code. */
async function runAgentsCommand(command: AgentsCommand, context: AgentsContext): Promise<number> {
  switch (command.kind) {
    case 'list':
      return (await import('./list-agents.ts')).listAgents(command, context);
    case 'search':
      return (await import('./list-agents.ts')).searchAgents(command, context);
    case 'info':
      return (await import('./agent-info.ts')).showAgentInfo(command, context);
    case 'add':
      return (await import('./configure-agent.ts')).addAgent(command, context);
    case 'remove':
      return (await import('./configure-agent.ts')).removeAgent(command, context);
    case 'install':
      return (await import('./install-agents.ts')).installAgents(command, context);
    case 'update':
      return (await import('./install-agents.ts')).updateAgents(command, context);
    case 'uninstall':
      return (await import('./install-agents.ts')).uninstallAgents(command, context);
  }
}
