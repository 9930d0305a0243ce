import {readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {basename, join, resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AgentCommand} from '../../agents/resolve.ts';
import {
  describeServer,
  type McpSource,
  type ConfiguredServer,
  mergeServers,
  type MergedServer,
  readServers,
  readServersFile,
} from '../../settings/server-config.ts';
import {type PreparedServer, prepareServer, type DirectServer} from '../../mcp/prepare.ts';
import type {McpServerRow} from '../../session/lifecycle/mcp-servers.ts';
import type {OwnServerState} from '../../session/state.ts';
import {DONE, fail, type Result} from '../../shared/failure.ts';
import {fileFailed} from '../../shared/files/file-failure.ts';
import type {Secrets} from '../../shared/mask.ts';
import {serverSwitches, switchServer} from '../../settings/mcp-switches.ts';
import type {Settings} from '../../settings/schema/settings-schema.ts';
import {problemTexts} from '../../settings/setting-problems.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {AgentRun} from '../connection/phases.ts';
import {warn, type ConversationContext} from '../context.ts';
import type {McpPlace, McpServers} from '../options.ts';
import {projectIn, type ProjectPlace} from './permission-rules.ts';
import type {Relay} from '../../mcp/relay.ts';
import {addAll} from '../../text/lists.ts';

/** Returns the MCP servers for a request that opens a session. Skipped servers are reported once, and again if the reason changes. */
export function selectServers(context: ConversationContext, run: AgentRun): readonly acp.McpServer[] {
  const prepared = context.options.mcp?.prepare(placeOf(context)) ?? [];
  const {offer, end} = createOfferedServers(context, run);
  run.endOffers = end;
  const leftOutBefore = context.leftOut;
  context.leftOut = prepared.flatMap((one) => (one.kind === 'left_out' ? [leftOutSentence(one)] : []));
  for (const text of context.leftOut) {
    if (!leftOutBefore.includes(text)) warn(context, text);
  }
  return prepared.flatMap((server) => {
    if (server.kind === 'passed') return [server.as];
    return server.kind === 'offered' ? [offer(server.as)] : [];
  });
}

function leftOutSentence({server, why}: Extract<PreparedServer, {kind: 'left_out'}>): string {
  return sanitizeLine(`MCP server "${server.name}" (${shownFile(server.source)}) skipped: ${why}.`);
}

/** Returns all MCP servers with their state in the next session. */
export function listServers(context: ConversationContext): readonly McpServerRow[] {
  const prepared = context.options.mcp?.prepare(placeOf(context)) ?? [];
  return prepared.map(rowOf);
}

/** Turns a server on or off for new sessions in this folder. */
export function toggleServer(context: ConversationContext, name: string): Result<void> {
  return context.options.mcp?.switch(name, placeOf(context)) ?? DONE;
}

/** Returns the programs of the servers that the agent would get. */
export function serverPrograms(context: ConversationContext): readonly acp.McpServerStdio[] {
  const prepared = context.options.mcp?.prepare(placeOf(context)) ?? [];
  return prepared.flatMap((one) =>
    (one.kind === 'passed' || one.kind === 'offered') && !('type' in one.as) ? [one.as] : [],
  );
}

function placeOf({options: {agent, cwd}, sink}: ConversationContext): McpPlace {
  return {agent, cwd, capabilities: sink.state().agent?.capabilities};
}

function nextOf(one: PreparedServer): McpServerRow['next'] {
  if (one.kind === 'left_out') return {leftOut: sanitizeLine(one.why)};
  return one.kind === 'off' ? 'off' : 'on';
}

function rowOf(prepared: PreparedServer): McpServerRow {
  const {name, transport, source, insteadOf} = prepared.server;
  const before = insteadOf ? `, instead of the one in ${shownFile(insteadOf)}` : '';
  return {
    name,
    transport,
    from: sanitizeLine(shownFile(source) + before),
    what: describeServer(prepared.server),
    next: nextOf(prepared),
  };
}

/** A file in the workspace by name, any other with `~` for the home folder. */
function shownFile({kind, file}: McpSource): string {
  if (kind === 'folder') return basename(file);
  const home = homedir();
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}

/** The MCP servers of one run: from settings, options and the folder, with the user's switches. */
export interface McpConfig extends McpServers {
  /** Applies a trusted folder's servers, in place of earlier ones of that folder. */
  useProject(project: ProjectServers): void;
}

/** MCP servers of a trusted folder. */
export interface ProjectServers extends ProjectPlace {
  readonly servers: readonly ConfiguredServer[];
}

interface McpConfigOptions {
  /** The state folder. */
  readonly state: string;
  readonly ofUser: readonly ConfiguredServer[];
  readonly ofAgent: (agent: AgentCommand) => readonly ConfiguredServer[];
  /** What the agent's settings say of servers over its connection. */
  readonly overAcp?: (agent: AgentCommand) => boolean | undefined;
  readonly ofOptions: readonly ConfiguredServer[];
  /** Collects expanded values of variables, so that they are masked in everything that is stored. */
  readonly secrets: Secrets;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Later sources override earlier ones: the user's settings, those of the agent, the folder, the command line. */
export function createMcpConfig({
  state,
  ofUser,
  ofAgent,
  overAcp = () => undefined,
  ofOptions,
  secrets,
  env,
}: McpConfigOptions): McpConfig {
  const projects = new Map<string, ProjectServers>();

  function serversIn({cwd, agent}: McpPlace): readonly MergedServer[] {
    const ofFolder = projectIn(projects, cwd)?.servers ?? [];
    return mergeServers([ofUser, ofAgent(agent), ofFolder, ofOptions]);
  }

  return {
    prepare(place) {
      const {cwd, agent, capabilities} = place;
      const switches = serverSwitches(state, cwd);
      const variables = {...env, ...agent.env, workspaceFolder: cwd};
      const isElsewhere = agent.remote !== undefined;
      const environment = {
        variables,
        capabilities,
        onValue: secrets.add,
        isElsewhere,
        overAcp: overAcp(agent) ?? !isElsewhere,
      };
      return serversIn(place).map((server) =>
        isOn(server, switches) ? prepareServer(server, environment) : {server, kind: 'off'},
      );
    },
    switch(name, place) {
      const server = serversIn(place).find((candidate) => candidate.name === name);
      if (!server) return DONE;
      const wanted = !isOn(server, serverSwitches(state, place.cwd));
      // Switching back to the file's state removes the override.
      const kept = wanted === !server.disabled ? undefined : wanted;
      return switchServer(state, {folder: place.cwd, name, isOn: kept});
    },
    useProject: (trusted) => void projects.set(trusted.folder, trusted),
  };
}

function isOn({name, disabled}: ConfiguredServer, switches: ReadonlyMap<string, boolean>): boolean {
  return switches.get(name) ?? !disabled;
}

interface McpConfigSources {
  /** Files of `--mcp-config`, as typed. */
  readonly files: readonly string[];
  /** Servers of an editor, by their names. */
  readonly others?: Readonly<Record<string, unknown>> | undefined;
  readonly settings: Settings;
  readonly paths: {readonly config: string; readonly state: string};
  readonly secrets: Secrets;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads the servers from settings and options. A file of an option without servers is a failure; an invalid server is a problem. */
export function openMcpConfig({
  files,
  others = {},
  settings,
  paths,
  secrets,
  env,
}: McpConfigSources): Result<{readonly config: McpConfig; readonly problems: readonly string[]}> {
  const config = join(paths.config, 'config.json');
  const ofUser = readServers(settings.mcpServers ?? {}, {kind: 'user', file: config});
  const ofOthers = readServers(others, {kind: 'option', file: 'the editor', isLiteral: true});
  const ofOptions: ConfiguredServer[] = [...ofOthers.servers];
  const problems = [...ofUser.problems, ...ofOthers.problems];
  for (const file of files) {
    try {
      const path = resolve(file);
      const read = readServersFile(readFileSync(path, 'utf8'), {kind: 'option', file: path});
      if (read.fault !== undefined) return fail({kind: 'file', path: file, problem: read.fault});
      addAll(ofOptions, read.servers);
      addAll(problems, read.problems);
    } catch (error) {
      return fileFailed(file, error);
    }
  }
  const {state} = paths;
  const ofAgents = Object.entries(settings.agents ?? {}).map(([name, ofAgent]) => {
    const read = readServers(ofAgent.mcpServers ?? {}, {kind: 'agent', file: config});
    addAll(problems, read.problems);
    return [name, read.servers] as const;
  });
  const byAgent = new Map(ofAgents);
  const ofAgent = ({label}: AgentCommand) => byAgent.get(label) ?? [];
  const overAcp = ({label}: AgentCommand) => settings.agents?.[label]?.mcpOverAcp;
  const mcp = createMcpConfig({state, ofUser: ofUser.servers, ofAgent, overAcp, ofOptions, secrets, env});
  return {ok: true, value: {config: mcp, problems: problemTexts(problems)}};
}

/** The MCP servers that a session offers its agent over the connection. */
interface OfferedServers {
  /** Offers a server; returns its declaration for the agent. It is started on first use. */
  readonly offer: (server: DirectServer) => acp.McpServer;
  /** Withdraws and stops all servers; resolves when they have ended. */
  readonly end: () => Promise<void>;
}

function createOfferedServers(
  {options: {cwd, environment}, sink, processes, sandbox}: ConversationContext,
  {connection}: Pick<AgentRun, 'connection'>,
): OfferedServers {
  const ends: (() => Promise<void>)[] = [];
  return {
    offer(server) {
      let relay: Promise<Relay> | undefined;
      let isReported = false;
      const become = (state: OwnServerState) =>
        sink.emit({type: 'mcp_server_state', name: server.name, state, at: Date.now()});
      const onFailure = (reason: string) => {
        become('failed');
        const text = sanitizeLine(`MCP server ${server.name} cannot be used: ${reason}`);
        sink.log('warn', text);
        // An agent may try again each turn, and the reason may differ by chance.
        if (!isReported) warn({sink}, text);
        isReported = true;
      };
      const registration = connection.offerMcpServer(server.name, async (operation) => {
        relay ??= import('../../mcp/relay.ts').then(({createRelay}) =>
          createRelay(server, {
            cwd,
            environment,
            sandbox: sandbox?.open,
            log: sink.log,
            onStart: () => become('started'),
            onFailure,
            onProcess: (process) => void processes.push(process),
          }),
        );
        return (await relay).handle(operation);
      });
      ends.push(async () => {
        const disposed = registration.dispose();
        await (await relay)?.close();
        await disposed;
      });
      become('unused');
      return registration.declaration;
    },
    end: async () => void (await Promise.all(ends.splice(0).map((end) => end()))),
  };
}
