import {createAgentFinder} from './agents/find-agent.ts';
import {agentsFolder, installedStart} from './agents/install/store.ts';
import type {ResolveOptions} from './agents/resolve.ts';
import type {CommonOptions} from './cli/options.ts';
import {clientOptionsFrom} from './client/from-options.ts';
import type {PickedUp} from './pick-up.ts';
import type {ClientOptions} from './client/options.ts';
import {openFolderTrust, type FolderTrust} from './client/folder-trust.ts';
import type {McpBook} from './client/mcp-book.ts';
import {openMcpBook} from './client/open-mcp-book.ts';
import {createPermissionBook, type PermissionBook} from './client/permission-book.ts';
import type {Result} from './failure.ts';
import {createAudit} from './persistence/audit.ts';
import {createLog, type Log} from './persistence/log.ts';
import {createSecrets, type Secrets} from './persistence/mask.ts';
import {findPaths, logFile, type Paths} from './persistence/paths.ts';
import type {WireRecorder} from './persistence/recordings/write-recording.ts';
import {DEFAULTS, type Settings} from './persistence/settings-schema.ts';
import {changeSetting, readSettings, type ReadSettings} from './persistence/settings.ts';

/** What both kinds of run begin with. */
export interface RunSetup extends ReadSettings {
  readonly paths: Paths;
  readonly log: Log;
  readonly permissions: PermissionBook;
  /** What was filled in for variables: masked wherever something is written down. */
  readonly secrets: Secrets;
  /** Undefined where the working folder brings no settings. */
  readonly trust: FolderTrust | undefined;
  readonly options: Result<ClientOptions>;
  /** The session to go on with, where it is stored here. */
  readonly kept?: PickedUp['kept'];
  /** Undefined where nothing is recorded. */
  readonly recorder: WireRecorder | undefined;
  /** Writes what of log and recording is still to be written. */
  readonly close: () => void;
  /** Makes the agent that was named the one that is used when none is. */
  readonly rememberAgent: () => Promise<void>;
}

export interface RunKind {
  /** Whether somebody is there to be asked. */
  readonly person: boolean;
  readonly demoCommand: ResolveOptions['demoCommand'];
}

function withBooks(
  options: Result<ClientOptions>,
  {permissions, mcp}: {readonly permissions: PermissionBook; readonly mcp: McpBook | undefined},
): Result<ClientOptions> {
  return options.ok ? {ok: true, value: {...options.value, permissions, ...(mcp && {mcp})}} : options;
}

/** All that may be secret of what agents get in their environment, for what is written down; agents may use the same names. */
function secretsOf({agents = {}}: Settings, given: CommonOptions): NodeJS.ProcessEnv {
  const ofAgents = Object.entries(agents).flatMap(([agent, {env = {}}]) =>
    Object.entries(env).map(([name, value]) => [`${agent}_${name}`, value]),
  );
  return {...process.env, ...Object.fromEntries(ofAgents), ...given.env};
}

/** What is masked wherever something is written down. */
interface Masking {
  readonly env: NodeJS.ProcessEnv;
  readonly secrets: Secrets;
}

/** The recording that was asked for. */
async function openRecorder(
  {record}: CommonOptions,
  log: Log,
  masking: Masking,
): Promise<Result<WireRecorder | undefined>> {
  if (record === undefined) return {ok: true, value: undefined};
  const {openRecording} = await import('./persistence/recordings/write-recording.ts');
  return openRecording({
    ...record,
    ...masking,
    onProblem: (problem) => log.write('error', `the recording ends here: ${String(problem)}`),
  });
}

/** How long an agent may take to answer `initialize`: `npx` may have to install it first. */
const START_SECONDS = 120;

/** `ACP_TUI_START_SECONDS` where it is a positive number, or the default. */
function startSeconds({ACP_TUI_START_SECONDS: given}: NodeJS.ProcessEnv): number {
  const seconds = Number(given);
  return seconds > 0 ? seconds : START_SECONDS;
}

/** Most runs begin a session, and need nothing of what finds an old one. */
async function pickedUp(given: CommonOptions, {state}: Paths): Promise<Result<PickedUp>> {
  if (!given.pickUp) return {ok: true, value: {given, opening: {kind: 'new'}}};
  const {pickUp} = await import('./pick-up.ts');
  return pickUp(given, state);
}

/** Options for what was picked up, or for a new session with the agent that is named. */
async function optionsOf(
  picked: Result<PickedUp>,
  {settings, fromEnvironment}: ReadSettings,
  {person, demoCommand}: RunKind,
): Promise<Result<ClientOptions>> {
  if (!picked.ok) return picked;
  const {given, agent, opening} = picked.value;
  const name = given.agent ?? agent?.label ?? settings.agent ?? settings.lastAgent ?? DEFAULTS.agent;
  const {agents = {}} = settings;
  const ofAgent = (Object.hasOwn(agents, name) ? agents[name] : undefined) ?? {};
  // What an agent is now, by the settings or as it is installed, counts more than how it was started then.
  const installed = installedStart(agentsFolder(findPaths()));
  const isStored = agent !== undefined && ofAgent.command === undefined && installed(name) === undefined;
  const approve = fromEnvironment.has('approve') ? settings.approve : (ofAgent.approve ?? settings.approve);
  return clientOptionsFrom(given, {
    agent: name,
    ofAgent,
    approval: approve ?? (person ? DEFAULTS.approve : 'reads'),
    person,
    resolve: {
      demoCommand,
      find: createAgentFinder({configured: agents, installed, path: process.env['PATH']}),
    },
    startSeconds: startSeconds(process.env),
    opening,
    ...(isStored && {command: agent}),
  });
}

/** Reads the settings, opens the log and resolves the agent. The command line wins over settings. */
export async function setUpRun(given: CommonOptions, kind: RunKind): Promise<RunSetup> {
  const {person} = kind;
  const paths = findPaths();
  const read = readSettings(paths.config);
  const {settings, rules, problems} = read;
  const masking = {env: secretsOf(settings, given), secrets: createSecrets()};
  const {secrets} = masking;
  const log = createLog({
    file: given.logFile ?? logFile(paths),
    level: given.logLevel ?? 'info',
    ...masking,
    now: Date.now,
  });
  const servers = openMcpBook({files: given.mcpConfig, settings, paths, secrets, env: process.env});
  const picked = servers.ok ? await pickedUp(given, paths) : servers;
  const opened = await optionsOf(picked, read, kind);
  const permissions = createPermissionBook({
    config: paths.config,
    rules,
    audit: createAudit({
      state: paths.state,
      agent: opened.ok ? opened.value.agent.label : '',
      ...masking,
      onProblem: (problem) => log.write('warn', `a decision cannot be written down: ${String(problem)}`),
    }),
    onProblem: (problem) => log.write('warn', problem),
  });
  const mcp = servers.ok ? servers.value.book : undefined;
  const trust =
    opened.ok && mcp
      ? openFolderTrust({state: paths.state, folder: opened.value.cwd, permissions, mcp, person})
      : undefined;
  const kept = picked.ok ? picked.value.kept : undefined;
  const recorder = await openRecorder(given, log, masking);
  return {
    ...read,
    ...(kept && {kept}),
    paths,
    problems: [...problems, ...(servers.ok ? servers.value.problems : []), ...(trust?.problems ?? [])],
    log,
    trust,
    permissions,
    secrets,
    options: recorder.ok ? withBooks(opened, {permissions, mcp}) : recorder,
    recorder: recorder.ok ? recorder.value : undefined,
    close() {
      if (recorder.ok) recorder.value?.close();
      log.flush();
    },
    async rememberAgent() {
      const {agent} = given;
      if (agent === undefined || agent === settings.lastAgent) return;
      const changed = await changeSetting(paths.config, 'lastAgent', agent);
      if (!changed.ok)
        log.write('warn', `the agent used last cannot be kept: ${JSON.stringify(changed.failure)}`);
    },
  };
}
