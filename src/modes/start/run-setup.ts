import {missingProgramFailure} from '../../agents/launch.ts';
import {withAbsoluteProgram} from '../../agents/resolve.ts';
import type {CommonOptions} from '../../cli/options.ts';
import {createProgressLine} from '../../cli/progress-line.ts';
import {logCrashesIn} from './crash.ts';
import type {ResumeTarget} from './resume-target.ts';
import {selectedAgent, type RunKind, runOptions, settingsOfFolder} from './run-options.ts';
import type {AgentFolders, StartModes, ConversationOptions} from '../../conversation/options.ts';
import {GONE, openFolderTrust, type FolderTrust} from '../../window/trust/folder-trust.ts';
import {wasTrusted} from '../../settings/trusted-folders.ts';
import {openMcpConfig} from '../../conversation/trust/mcp-servers.ts';
import {createPermissionRules, type PermissionRules} from '../../conversation/trust/permission-rules.ts';
import type {SessionWorktree, WorktreePlaces} from './session-worktree.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {fail, type Result} from '../../shared/failure.ts';
import {createAudit, createForgetfulAudit, type AuditOf} from '../../storage/audit.ts';
import {openCredentials} from '../../storage/credentials/credentials.ts';
import {systemKeyring} from '../../storage/credentials/keyring.ts';
import {createLog, type Log} from '../../storage/log.ts';
import {lastAgent} from '../../storage/last-agent.ts';
import {readStartMode, writeStartMode} from '../../storage/start-modes.ts';
import {createSecrets, type Secrets} from '../../shared/mask.ts';
import {findPaths, logFile, type Paths} from '../../shared/files/paths.ts';
import {removeAbandoned} from '../../shared/files/safe-files.ts';
import type {WireRecorder} from '../../storage/recordings/write-recording.ts';
import {problemTexts} from '../../settings/setting-problems.ts';
import type {Settings} from '../../settings/schema/settings-schema.ts';
import {themeNames} from '../../settings/schema/theme-settings.ts';
import {changeAt, readSettings, type ReadSettings} from '../../settings/settings.ts';
import {ruleOf, type PermissionRule, type RuleEffect} from '../../session/requests/permission-rules.ts';
import {addAll} from '../../text/lists.ts';

/** Possibly secret values in agents' environments, to be masked; agents may use the same names. */
function secretsOf(
  {agents = {}}: Settings,
  options: CommonOptions,
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const known = Object.entries(agents).map(([agent, {env = {}, token, headers = {}}]) =>
    Object.fromEntries([
      [`${agent}_token`, token],
      ...Object.entries(env).map(([name, value]) => [`${agent}_${name}`, value]),
      ...Object.entries(headers).map(([name, value]) => [`${agent}_${name}_token`, value]),
    ]),
  );
  return Object.assign({}, environment, ...known, options.env) as NodeJS.ProcessEnv;
}

/** What is masked in everything that is stored. */
interface Masking {
  readonly env: NodeJS.ProcessEnv;
  readonly secrets: Secrets;
}

function openLog(
  {logFile, logLevel = 'info'}: CommonOptions,
  defaultFile: string | undefined,
  masking: Masking,
): Log {
  const file = logFile ?? defaultFile;
  const log = createLog({file, level: logLevel, ...masking, now: Date.now});
  logCrashesIn(log, file);
  return log;
}

function openAudit(
  state: string,
  {save, log, masking}: {readonly save: boolean; readonly log: Log; readonly masking: Masking},
): AuditOf {
  const onProblem = (problem: unknown) =>
    log.write('warn', `a decision could not be logged: ${String(problem)}`);
  return save ? createAudit({state, ...masking, onProblem}) : createForgetfulAudit();
}

/** Opens the requested recording. */
async function openRecorder(
  {record}: CommonOptions,
  log: Log,
  masking: Masking,
): Promise<Result<WireRecorder | undefined>> {
  if (record === undefined) return {ok: true, value: undefined};
  const {openRecording} = await import('../../storage/recordings/write-recording.ts');
  return openRecording({
    ...record,
    ...masking,
    onProblem: (failure) => log.write('error', `recording stopped: ${failureSentence(failure)}`),
  });
}

/** Shows progress before there is a window; undefined without a terminal. */
function progressLine(): ((text: string) => void) | undefined {
  const {stderr} = process;
  if (!stderr.isTTY || process.env['TERM'] === 'dumb') return undefined;
  return createProgressLine(
    (text) => void stderr.write(text),
    () => stderr.columns ?? 80,
  );
}

/** Loaded lazily: most runs start a new session. */
async function resumedTarget(
  options: CommonOptions,
  {state}: Paths,
  {kind, warn}: {readonly kind: RunKind; readonly warn: (sentence: string) => void},
): Promise<Result<ResumeTarget>> {
  const {hasUser, isWindow = false} = kind;
  const {resumeRequest: wanted} = options;
  if (!wanted) return {ok: true, value: newSession(options)};
  const {findResumeTarget} = await import('./resume-target.ts');
  const target = await findResumeTarget(options, state, {warn, status: progressLine(), hasUser, isWindow});
  // An imported session can be read, and passed to another agent as context, if there is a user to select it.
  return hasUser || wanted.which !== 'named' || !target.ok || target.value.opening.kind !== 'later'
    ? target
    : {ok: false, failure: {kind: 'no_such_session', wanted: wanted.id}};
}

/** Returns the result unchanged, or a failure if there is no theme of the name that was given. */
function withKnownTheme<Value>(
  result: Result<Value>,
  {theme}: CommonOptions,
  {themes}: Settings,
): Result<Value> {
  const names = themeNames(themes);
  if (theme === undefined || names.includes(theme)) return result;
  const problem = `Unknown theme ${JSON.stringify(theme)}. Available: ${names.join(', ')}.`;
  return {ok: false, failure: {kind: 'invalid_setting', problem}};
}

/** The setup common to windows and print mode. */
export type RunSetup = Awaited<ReturnType<typeof setUpRun>>;

/** Reads the settings, opens the log and resolves the agent. The command line overrides settings. */
export async function setUpRun(given: CommonOptions, kind: RunKind) {
  const {hasUser, isWindow = false, mcpServers: others, environment = process.env} = kind;
  const paths = findPaths();
  const {config, state} = paths;
  for (const folder of [config, state]) removeAbandoned(folder);
  const read = readSettings(config, environment);
  const {settings, rules, hooks} = read;
  const ignored = read.problems.filter(({protects}) => !protects);
  const inFolder = settingsOfFolder(given, read);
  const masking = {env: secretsOf(inFolder.settings, given, environment), secrets: createSecrets()};
  const {secrets} = masking;
  const save = given.save && settings.sessions?.save !== false;
  const log = openLog(given, save ? logFile(paths) : undefined, masking);
  const servers = openMcpConfig({files: given.mcpConfig, others, settings, paths, secrets, env: environment});
  const found = servers.ok ? [...servers.value.problems] : [];
  const warn = (sentence: string) => void found.push(sentence);
  const usable = withKnownTheme(servers, given, settings);
  const target = usable.ok ? await resumedTarget(given, paths, {kind, warn}) : usable;
  const places = {paths, settings: inFolder.settings};
  const {opened, used, worktree} = await openOptions(target, read, {given, kind, ...places});
  addAll(found, worktree?.problems ?? []);
  const audit = openAudit(state, {save, log, masking});
  const permissions = createPermissionRules({config, rules, ofRun: rulesOfRun(given), hooks, audit});
  const mcp = servers.ok ? servers.value.config : undefined;
  const trustIn = (folder: string, asking: Asking) =>
    mcp && openFolderTrust({state, folder, permissions, mcp, ...asking});
  const trust = opened.ok ? trustIn(opened.value.cwd, {hasUser, isWindow}) : undefined;
  const credentials = openCredentials({state, keyring: systemKeyring(), onValue: secrets.add});
  const services = {credentials, ...keptOfAgents(paths, {save, log}), ...(mcp && {mcp})};
  const withServices = (options: Result<ConversationOptions>): Result<ConversationOptions> => {
    if (!options.ok) return options;
    const {agent} = options.value;
    return {ok: true, value: {...options.value, ...services, permissions: permissions.of(agent.label)}};
  };
  const {kept, problems: changed = []}: Partial<ResumeTarget> = target.ok ? target.value : {};
  const recording = await openRecorder(given, log, masking);
  const recorder = recording.ok ? recording.value : undefined;
  return {
    ...read,
    /** The options, in the worktree if the session has got one. */
    given: used,
    /** What the user should know, in sentences. */
    notices: worktree?.notices ?? [],
    /** The session to resume, if it is stored here. */
    kept,
    paths,
    problems: [...problemTexts(ignored), ...found, ...changed, ...(trust?.problems ?? [])],
    /** False stores nothing of the conversation. */
    save,
    log,
    /** Undefined if the working folder has no settings. */
    trust,
    /** Applies the settings of another folder in which a session is opened, if they are trusted; returns what the user should know of them, in sentences. */
    useFolder: (folder: string) => settingsSaid(folder, {state, trust, trustIn, permissions}),
    permissions,
    /** Expanded values of variables: masked in everything that is stored. */
    secrets,
    options: recording.ok ? withServices(opened) : recording,
    /** Undefined if nothing is recorded. */
    recorder,
    /** Flushes log and recording. */
    close: () => [recorder?.close, log.flush, worktree?.release].forEach((end) => end?.()),
    /** Removes the worktree of a session that did not begin, unless something would be lost with it; called before `close`. */
    discard: async () => worktree?.discard(),
    ...agentSelected(given, inFolder, kind),
    /** Returns options for a session with another agent, with the current settings. */
    optionsFor: async (wanted: CommonOptions) =>
      withServices(await runOptions(newSession(wanted), readSettings(config, environment), kind)),
    /** Stores the agent that was used last, if it changed: the requested one, or the given one. */
    rememberAgent: createAgentMemory(given, paths, log),
  };
}

function rulesOfRun({allow = [], deny = []}: CommonOptions): readonly PermissionRule[] {
  const rulesOf = (effect: RuleEffect, texts: readonly string[]) =>
    texts.flatMap((text) => ruleOf(effect, text, 'option') ?? []);
  return [...rulesOf('allow', allow), ...rulesOf('deny', deny)];
}

interface Asking {
  readonly hasUser: boolean;
  readonly isWindow?: boolean;
}

interface OtherFolders {
  readonly state: string;
  /** The working folder's. */
  readonly trust: FolderTrust | undefined;
  readonly trustIn: (folder: string, asking: Asking) => FolderTrust | undefined;
  readonly permissions: Pick<PermissionRules, 'hasProject'>;
}

/**
 * Applies the settings of another folder, if they are trusted; returns what is said of them. Those that were accepted before hold on: without them, a `deny`
 * would be lost to a session that runs there.
 */
function settingsSaid(folder: string, {state, trust, trustIn, permissions}: OtherFolders): readonly string[] {
  if (trust?.isOf(folder)) return [];
  const found = trustIn(folder, {hasUser: false});
  const isOld = permissions.hasProject(folder) && (!found || found.question !== undefined);
  const held = 'The settings of this folder that you accepted before still hold in this window.';
  const isGone = !found && !isOld && wasTrusted(state, folder);
  return [...(found?.problems ?? []), ...(isOld ? [held] : []), ...(isGone ? [GONE] : [])];
}

function newSession(given: CommonOptions): ResumeTarget {
  return {given, opening: {kind: 'new'}};
}

interface Opening extends WorktreePlaces {
  readonly given: CommonOptions;
  readonly kind: RunKind;
}

interface Opened {
  readonly opened: Result<ConversationOptions>;
  /** The options, with the folder of the worktree if there is one. */
  readonly used: CommonOptions;
  readonly worktree?: SessionWorktree | undefined;
}

/** Returns the options of the session. If they are usable, and it is to have a worktree, that is created and has the session's folder. */
async function openOptions(
  target: Result<ResumeTarget>,
  read: ReadSettings,
  {given: asked, kind, ...places}: Opening,
): Promise<Opened> {
  // A title of several sessions is a list to select from.
  const given = target.ok ? {...asked, resumeRequest: target.value.given.resumeRequest} : asked;
  const opened = target.ok ? await runOptions(target.value, read, kind) : target;
  if (given.worktree === undefined || !opened.ok || !target.ok) return {opened, used: given};
  // In a window, another agent can be chosen.
  const {agent, environment} = opened.value;
  const missing = kind.isWindow ? undefined : missingProgramFailure(agent, environment);
  if (missing) return {opened: fail(missing), used: given};
  const {openWorktree, hasSource} = await import('./session-worktree.ts');
  const inFolder = {opened, used: {...given, worktree: undefined}};
  if (given.worktree.isOptional && !(await hasSource(given))) return inFolder;
  const show = progressLine();
  show?.('Creating the worktree…');
  const created = await openWorktree(opened.value, given.worktree, places);
  show?.('');
  if (!created.ok) return {...inFolder, opened: created};
  const worktree = created.value;
  const used = {...given, cwd: worktree.cwd, worktree: undefined};
  const moved = {...target.value, given: {...target.value.given, cwd: used.cwd}};
  return {opened: await runOptions(moved, read, kind), used, worktree};
}

function agentFoldersIn({config}: Paths): AgentFolders {
  return {
    of: (name) => readSettings(config).settings.agents?.[name]?.sandbox?.folders,
    save: (name, folders) => changeAt(config, ['agents', name, 'sandbox', 'folders'], folders),
  };
}

/** What is kept of each agent. */
function keptOfAgents(paths: Paths, {save, log}: {readonly save: boolean; readonly log: Log}) {
  const startModes = startModesIn(paths, log);
  return {agentFolders: agentFoldersIn(paths), ...(save && {startModes})};
}

function startModesIn({state}: Paths, log: Log): StartModes {
  return {
    of: (agent) => readStartMode(state, agent),
    save(agent, mode) {
      const written = writeStartMode(state, agent, mode);
      if (!written.ok)
        log.write('warn', `the mode of a session could not be saved: ${failureSentence(written.failure)}`);
    },
  };
}

function agentSelected(options: CommonOptions, inFolder: ReadSettings, kind: RunKind) {
  const agentName = selectedAgent(options, inFolder, kind);
  return {
    /** The name or command line of the agent of a new session; undefined if none was selected. */
    agentName,
    /** True for a window whose user never selected an agent: then the options are those of the demo. */
    isAgentOpen: agentName === undefined && !options.resumeRequest,
  };
}

function createAgentMemory({agent}: CommonOptions, {state}: Paths, log: Log) {
  let last = lastAgent.read(state);
  return (chosen = agent) => {
    const used = chosen && withAbsoluteProgram(chosen);
    if (used === undefined || used === last) return;
    last = used;
    const written = lastAgent.write(state, used);
    if (!written.ok)
      log.write('warn', `the last used agent could not be saved: ${failureSentence(written.failure)}`);
  };
}
