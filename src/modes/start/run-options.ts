import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import {agentEnvironment} from '../../agents/environment.ts';
import {installedStart} from '../../agents/install/installed.ts';
import {agentsFolder, findPaths} from '../../shared/files/paths.ts';
import {findAgentId, findKnownProgram, similarAgent} from '../../agents/programs.ts';
import {openRegistry, REGISTRY_URL, type Registry} from '../../agents/registry.ts';
import {isRemoteUrl} from '../../agents/remote/address.ts';
import {
  type AgentCommand,
  commandKey,
  createAgentFinder,
  resolveAgent,
  type ResolveOptions,
  withAbsoluteProgram,
  withProcess,
  withProtocol,
} from '../../agents/resolve.ts';
import type {CommonOptions} from '../../cli/options.ts';
import type {
  AgentInFolder,
  ConversationOptions,
  OptionsOfAgent,
  RequestedSettings,
} from '../../conversation/options.ts';
import type {ClientOffer, SystemPrompt} from '../../protocol/connection.ts';
import type {SessionStart} from '../../service/messages.ts';
import type {Limits} from '../../session/settings/limits.ts';
import type {Result} from '../../shared/failure.ts';
import {version} from '../../shared/version.ts';
import {lastAgent} from '../../storage/last-agent.ts';
import {usageToday} from '../../storage/usage.ts';
import type {AgentSettings, AgentsSettings} from '../../settings/schema/agent-settings.ts';
import {changedSettings, withFolder} from '../../settings/project-settings.ts';
import {faultFailure} from '../../settings/setting-problems.ts';
import {DEFAULTS, settingsOfAgent, type Settings} from '../../settings/schema/settings-schema.ts';
import type {ReadSettings} from '../../settings/settings.ts';
import type {ResumeTarget} from './resume-target.ts';
import {codeOf} from '../../shared/files/safe-files.ts';

export interface RunKind {
  /** True if there is a user who can answer. */
  readonly hasUser: boolean;
  /** True for a window: if no agent is named, it takes the one used last, and the demo until the user has selected one. Anything else starts only what is named. */
  readonly isWindow?: true;
  /** True if a window starts it, in which the user has been asked about the settings of the folder. */
  readonly isOfWindow?: boolean | undefined;
  readonly demoCommand: ResolveOptions['demoCommand'];
  /** MCP servers besides those of settings and options, in the form that clients share. */
  readonly mcpServers?: Readonly<Record<string, unknown>> | undefined;
  /** The environment of where it was started; by default that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** Timeout of `initialize`: `npx` may have to install the agent first. */
const START_SECONDS = 120;

/** `ACP_TUI_START_SECONDS` if it is a positive number, otherwise the default. */
export function startSeconds({ACP_TUI_START_SECONDS: given}: NodeJS.ProcessEnv): number {
  const seconds = Number(given);
  return seconds > 0 ? seconds : START_SECONDS;
}

/** Returns the settings with those of the working folder, if the user trusts it. */
export function settingsOfFolder({cwd = '.'}: Pick<CommonOptions, 'cwd'>, read: ReadSettings): ReadSettings {
  return withFolder(read, {state: findPaths().state, folder: resolve(cwd)});
}

/** Returns the agent in the options, environment or settings, or for a window the one used last; undefined if there is none. */
export function selectedAgent(
  options: CommonOptions,
  {settings}: ReadSettings,
  {isWindow}: Pick<RunKind, 'isWindow'> = {},
): string | undefined {
  return options.agent ?? settings.agent ?? (isWindow && lastAgent.read(findPaths().state));
}

/**
 * Returns the options of a conversation for the resumed session, or for a new one with the requested agent, and absolute folders that exist. Settings of the agent
 * have lower precedence than the command line, and higher than the other settings.
 */
export async function runOptions(
  {given, agent: stored, opening, kept, isUnreadable = false}: ResumeTarget,
  ofUser: ReadSettings,
  kind: RunKind,
): Promise<Result<ConversationOptions>> {
  const {hasUser, isWindow, isOfWindow, demoCommand, environment = process.env} = kind;
  const read = settingsOfFolder(given, ofUser);
  const {settings} = read;
  const cwd = resolve(given.cwd ?? '.');
  const changed = isWindow || isOfWindow ? undefined : changedSettings(findPaths().state, cwd);
  const fault = faultFailure(read.problems) ?? changed;
  if (fault) return {ok: false, failure: fault};
  const {agents = {}} = settings;
  const wanted = selectedAgent(given, read, kind) ?? (isWindow && 'demo');
  const name = given.agent === undefined && stored ? stored.label : wanted && nameMeant(wanted, agents);
  if (name === undefined) return {ok: false, failure: {kind: 'no_agent'}};
  const ofAgent = settingsOfAgent(settings, name);
  const agent = findAgent(name, {
    stored,
    ofAgent,
    settings,
    env: {...ofAgent.env, ...given.env},
    environment,
    demoCommand,
  });
  if (!agent.ok) return agent;
  const additionalDirectories = given.additionalDirectories.map((folder) => resolve(folder));
  for (const folder of [cwd, ...additionalDirectories]) {
    const problem = problemWith(folder);
    if (problem !== undefined) return {ok: false, failure: {kind: 'file', path: folder, problem}};
  }
  const session = isUnreadable ? 'unreadable' : kept?.session;
  const options: ConversationOptions = {
    agent: withProtocol(
      withProcess(agent.value, ofAgent),
      given.protocol ?? ofAgent.protocol ?? settings.protocol,
    ),
    environment: agentEnvironment(environment),
    cwd,
    additionalDirectories,
    ...optionsOfAgent(given, {agent: {...agent.value, label: name}, hasUser, kept: session}, read),
    hasUser,
    usageToday: usageToday(findPaths().state),
    ...(given.authMethod !== undefined && {authMethod: given.authMethod}),
    settings: given.settings,
    opening,
    startSeconds: startSeconds(environment),
    version,
  };
  return {ok: true, value: options};
}

/** Returns what follows from the agent of a session and the settings in its folder. */
export function optionsOfAgent(
  given: CommonOptions,
  {agent, hasUser, kept}: OfAgent,
  {settings, fromEnvironment, problems}: ReadSettings,
): Omit<OptionsOfAgent, 'permissions'> {
  const ofAgent = settingsOfAgent(settings, agent.label);
  const systemPrompt = systemPromptOf(given.systemPrompt, ofAgent);
  const refusal = faultFailure(problems);
  const approve = fromEnvironment.has('approve') ? settings.approve : (ofAgent.approve ?? settings.approve);
  return {
    offer: offerTo(agent, given.offer, ofAgent),
    ...(refusal && {refusal}),
    ...(systemPrompt && {systemPrompt}),
    ...(ofAgent.provider && {provider: ofAgent.provider}),
    approval: given.approve ?? approve ?? (hasUser ? DEFAULTS.approve : 'reads'),
    limits: limitsOf(given, settings),
    waitsForLimits: given.waitForLimits ?? settings.waitForLimits ?? DEFAULTS.waitForLimits,
    ...sandboxOf({option: given.sandbox, agent: agent.label, kept}, settings),
    newSettings: newSettings(given.settings, ofAgent),
  };
}

interface OfAgent extends Pick<RunKind, 'hasUser'>, Pick<Confinement, 'kept'> {
  /** With the name of its settings as its label. */
  readonly agent: Pick<AgentCommand, 'label' | 'remote'>;
}

function limitsOf(
  {
    maxCost,
    maxTokens,
    maxTurns,
    maxTime,
  }: Pick<CommonOptions, 'maxCost' | 'maxTokens' | 'maxTurns' | 'maxTime'>,
  settings: Settings,
): Limits {
  const limits = {...DEFAULTS.limits, ...settings.limits};
  return {
    ...limits,
    sessionCost: maxCost ?? limits.sessionCost,
    sessionTokens: maxTokens ?? limits.sessionTokens,
    sessionTurns: maxTurns ?? limits.sessionTurns,
    sessionMinutes: maxTime ?? limits.sessionMinutes,
  };
}

/** What a session's confinement follows from. */
interface Confinement {
  /** `--sandbox` or `--no-sandbox`, which decide alone. */
  readonly option: boolean | undefined;
  /** Its name in the settings, which override those for all. */
  readonly agent: string;
  /** The stored session: one that was confined stays so, and so does one that cannot be read, which may have been. */
  readonly kept?: AgentInFolder['kept'];
}

/** Says how a session is confined: the only place that does. */
export function sandboxOf(
  {option, agent, kept}: Confinement,
  settings: Settings,
): Pick<ConversationOptions, 'sandbox'> {
  const usual = DEFAULTS.sandbox;
  const effective = {...settings.sandbox, ...settingsOfAgent(settings, agent).sandbox};
  const wasConfined = kept === 'unreadable' || kept?.sandbox !== undefined;
  const isConfined = option ?? (effective.enabled === true || wasConfined);
  if (!isConfined) return {};
  const {folders, hidden, network = usual.network, hosts = [], sockets = usual.sockets} = effective;
  const addedFolders = kept === 'unreadable' ? undefined : kept?.sandbox?.addedFolders;
  return {
    sandbox: {
      sandboxFolders: folders,
      addedFolders,
      sandboxHidden: hidden,
      network,
      networkHosts: hosts,
      sandboxSockets: sockets,
    },
  };
}

/** Returns the name under which the agent has its settings. One of the user's own, and an installed one, is meant before any other. */
function nameMeant(name: string, configured: AgentsSettings): string {
  const isKnown = Object.hasOwn(configured, name) || findKnownProgram(name) !== undefined;
  const isOwn = isKnown || installedStart(agentsFolder(findPaths()))(name) !== undefined;
  return isOwn ? name : (findAgentId(name) ?? name);
}

interface AgentSources extends Required<Pick<RunKind, 'demoCommand' | 'environment'>> {
  /** The command that a stored session was started with. */
  readonly stored: ResumeTarget['agent'];
  readonly ofAgent: AgentSettings;
  readonly settings: Settings;
  readonly env: AgentCommand['env'];
}

/** Finds how to start an agent. Its current command, in the settings or as installed, overrides the stored one. */
function findAgent(
  name: string,
  {stored, ofAgent, settings, env, environment, demoCommand}: AgentSources,
): Result<AgentCommand> {
  const {agents = {}, registry} = settings;
  const {cache} = findPaths();
  const listed = openRegistry({url: registry?.url ?? REGISTRY_URL, cache, now: Date.now});
  const installed = installedStart(agentsFolder(findPaths()));
  const isConfigured = ofAgent.command !== undefined || ofAgent.url !== undefined;
  const command = isConfigured || installed(name) !== undefined ? undefined : stored;
  const find = createAgentFinder({configured: agents, installed, environment});
  const named = find(name);
  const byName =
    named?.ok === true && command !== undefined && commandKey(named.value) === commandKey(command);
  if (command && !isRemoteUrl(command.command))
    return {ok: true, value: {...command, env, ...(byName && {byName})}};
  return resolveAgent(command?.command ?? name, {
    env,
    environment,
    demoCommand,
    installable: createInstallableFinder(listed),
    similar: (typed) =>
      similarAgent(typed, [...Object.keys(agents), ...(listed.cached()?.entries ?? []).map(({id}) => id)]),
    find,
  });
}

/** Returns a lookup from a name to the id to install: of a well-known program, or from the cached registry. */
function createInstallableFinder(registry: Pick<Registry, 'cached'>): (name: string) => string | undefined {
  return (name) => findKnownProgram(name)?.id ?? registry.cached()?.entries.find(({id}) => id === name)?.id;
}

/** One that runs elsewhere gets no files and commands of this computer, unless its settings say so. */
function offerTo(
  {remote}: Pick<AgentCommand, 'remote'>,
  {fs, terminal, ...others}: ClientOffer,
  of: AgentSettings,
): ClientOffer {
  const isLocal = remote === undefined;
  return {...others, fs: fs && (of.files ?? isLocal), terminal: terminal && (of.terminals ?? isLocal)};
}

function systemPromptOf(
  systemPrompt: SystemPrompt,
  {systemPrompt: override, appendSystemPrompt: append}: AgentSettings,
): SystemPrompt | undefined {
  const wanted = {
    ...(override !== undefined && {override}),
    ...(append !== undefined && {append}),
    ...systemPrompt,
  };
  return Object.keys(wanted).length > 0 ? wanted : undefined;
}

/** The command line overrides the settings for the agent. */
function newSettings(
  requested: RequestedSettings,
  {mode, model, options = {}}: AgentSettings,
): RequestedSettings {
  const named = new Set(requested.options.map(([id]) => id));
  const others = Object.entries(options).filter(([id]) => !named.has(id));
  return {
    ...(mode !== undefined && {mode}),
    ...(model !== undefined && {model}),
    ...requested,
    options: [...others.map(([id, value]) => [id, String(value)] as const), ...requested.options],
  };
}

/** Synchronous: the first use of Node's thread pool takes milliseconds, and the first paint waits for this. */
function problemWith(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? undefined : 'it is not a folder';
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'no such folder' : String(error);
  }
}

/** Returns how to start a session with these options in the background, here and now. */
export function sessionStart(options: CommonOptions, prompt?: string): SessionStart {
  const {ACP_TUI_AGENT: agent, ...others} = process.env;
  const environment = agent === undefined ? others : {...others, ACP_TUI_AGENT: withAbsoluteProgram(agent)};
  return {given: withAbsolutePaths(options), prompt, environment};
}

/** Returns the options for a process with another working folder. */
function withAbsolutePaths(options: CommonOptions): CommonOptions {
  const {agent, cwd = '.', additionalDirectories, mcpConfig, record, logFile} = options;
  return {
    ...options,
    ...(agent !== undefined && {agent: withAbsoluteProgram(agent)}),
    cwd: resolve(cwd),
    additionalDirectories: additionalDirectories.map((folder) => resolve(folder)),
    mcpConfig: mcpConfig.map((file) => resolve(file)),
    record: record && {...record, file: resolve(record.file)},
    ...(logFile !== undefined && {logFile: resolve(logFile)}),
  };
}
