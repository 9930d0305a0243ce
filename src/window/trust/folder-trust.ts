import {basename} from 'node:path';
import {formatCommandLine} from '../../agents/command-line.ts';
import type {AppEvent} from '../../app/events.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import type {SessionActions, UserQuestion} from '../../session/actions.ts';
import {textsOf, describeServer, type ConfiguredServer} from '../../settings/server-config.ts';
import {variablesIn} from '../../shared/variables.ts';
import {howToReopen} from '../../session/lifecycle/agent-capabilities.ts';
import {isReady} from '../../session/selectors.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {DONE, type Result} from '../../shared/failure.ts';
import {realpathOrItself} from '../../shared/files/folders.ts';
import type {Store} from '../../shared/store.ts';
import {
  COMMANDS_FOLDER,
  PROJECT_FILE,
  readProjectSettings,
  type ProjectSettings,
} from '../../settings/project-settings.ts';
import {problemTexts} from '../../settings/setting-problems.ts';
import {forgetFolder, isTrusted, trustFolder, wasTrusted} from '../../settings/trusted-folders.ts';
import {escapeHiddenFile, escapeHiddenLine} from '../../text/hidden.ts';
import {addNotice} from '../notices.ts';
import type {McpConfig} from '../../conversation/trust/mcp-servers.ts';
import type {PermissionRules} from '../../conversation/trust/permission-rules.ts';

/** The settings in a folder, and whether they are trusted. */
export interface FolderTrust {
  /** The question for the user; undefined once it is answered, or if the settings are trusted already. */
  readonly question: UserQuestion | undefined;
  /** True for the folder of these settings, by any of its paths. */
  readonly isOf: (folder: string) => boolean;
  /** Trusts the settings, here and in later runs, until a file changes. */
  accept(): Result<void>;
  /** Does not use them in this run. */
  decline(): void;
  /** True if they contain MCP servers, which only sessions opened later get. */
  readonly hasServers: boolean;
  /** A sentence for each invalid setting. */
  readonly problems: readonly string[];
}

interface FolderTrustOptions {
  /** The state folder. */
  readonly state: string;
  /** The working folder. */
  readonly folder: string;
  readonly permissions: Pick<PermissionRules, 'useProject'>;
  readonly mcp: Pick<McpConfig, 'useProject'>;
  readonly hasUser: boolean;
  /** True for a window that is started in the folder: that settings are gone is said there once. */
  readonly isWindow?: boolean;
}

/**
 * Reads a folder's settings, and applies them if the user has trusted exactly this content. Untrusted settings have no effect; without a user, a problem
 * reports that. Undefined if there are none.
 */
export function openFolderTrust({
  state,
  folder,
  permissions,
  mcp,
  hasUser,
  isWindow = false,
}: FolderTrustOptions): FolderTrust | undefined {
  const project = readProjectSettings(folder);
  if (!project) return isWindow && wasTrusted(state, folder) ? goneSettings(state, folder) : undefined;
  const {hash, rules, hooks, servers} = project;
  const problems = problemsOf(project);
  const real = realpathOrItself(folder);
  const isOf = (other: string) => realpathOrItself(other) === real;
  const use = () => {
    // Its worktrees are trusted with the same settings.
    const holdIn = (other: string) => isOf(other) || isTrusted(state, other, hash);
    permissions.useProject({folder: real, rules, hooks, holdIn});
    mcp.useProject({folder: real, servers, holdIn});
  };
  const hasServers = servers.length > 0;
  const isUsed = isTrusted(state, folder, hash);
  if (isUsed) use();
  // Not what is in part unknown: it could loosen, and leave out what tightens.
  if (isUsed || (hasUser && project.problems.some(({protects}) => protects)))
    return {isOf, hasServers, question: undefined, accept: () => DONE, decline: () => undefined, problems};
  const ignored =
    `${namesOf(project)} of this folder: ignored, not trusted yet. ` +
    'A window that is started in the folder asks about it.';
  let question: UserQuestion | undefined = questionAbout(project, folder);
  const decline = () => void (question = undefined);
  return {
    isOf,
    hasServers,
    get question() {
      return question;
    },
    accept() {
      decline();
      use();
      return trustFolder(state, folder, hash);
    },
    decline,
    problems: hasUser ? [] : [ignored],
  };
}

export const GONE = 'The settings of this folder that you trusted are gone: what they forbade no longer is.';

/** The user, who is told, need not be told again; elsewhere nothing starts there before. */
function goneSettings(state: string, folder: string): FolderTrust {
  const forgotten = forgetFolder(state, folder);
  const problems = [GONE, ...(forgotten.ok ? [] : [failureSentence(forgotten.failure)])];
  const nothing = {question: undefined, accept: () => DONE, decline: () => undefined, hasServers: false};
  return {...nothing, isOf: (other) => realpathOrItself(other) === realpathOrItself(folder), problems};
}

/** Returns a sentence for each mistake. */
function problemsOf({problems, commandProblems}: ProjectSettings): readonly string[] {
  return [...problemTexts(problems, 'it is ignored'), ...commandProblems];
}

function questionAbout(project: ProjectSettings, folder: string): UserQuestion {
  const {files, rules, servers} = project;
  const added = rules.map(({effect, text}) => `  ${effect} ${escapeHiddenLine(text)}`);
  const text = [
    `${namesOf(project)} can change what agents may do here and what they start. Nothing applies until you accept. ` +
      'You are asked again when it changes.',
    ...(added.length === 0 ? [] : [`It adds these rules:\n${added.join('\n')}`]),
    ...hooksText(project.hooks),
    ...(servers.length === 0 ? [] : [serversText(servers)]),
    ...agentsText(project.settings),
    ...commandsText(project.commands),
    ...problemsOf(project),
    // Indented, to set it off from acp-tui's own text.
    ...files.map(
      ({name, text}) => `${name}:\n${escapeHiddenFile(text.trimEnd()).replace(/(?<![^\n])/g, '  ')}`,
    ),
  ].join('\n\n');
  return {
    title: `Trust the settings of the folder ${escapeHiddenLine(basename(folder))}?`,
    text,
    yes: 'Trust and use them',
    no: 'Not now',
  };
}

/** Lists what would run by itself. */
function hooksText(hooks: ProjectSettings['hooks']): readonly string[] {
  const lines = hooks.map(({event, command}) => `  ${event} runs: ${escapeHiddenLine(command)}`);
  return lines.length === 0 ? [] : [['Hooks, programs that run by themselves:', ...lines].join('\n')];
}

const OF_ITS_NAME =
  'A command that it sets gets what your settings allow and give the agent of that name (level, rules, MCP servers, sandbox), but not its environment and provider.';

/** Lists the agents that would be started here, and how. */
function agentsText({agent, agents = {}}: ProjectSettings['settings']): readonly string[] {
  const lines = Object.entries(agents).map(([name, {command, env = {}}]) => {
    const variables = Object.keys(env);
    const runs = command === undefined ? '' : ` runs: ${escapeHiddenLine(formatCommandLine(command))}`;
    return `  ${escapeHiddenLine(name)}${runs}${variables.length === 0 ? '' : ` with ${escapeHiddenLine(variables.join(', '))}`}`;
  });
  return [
    ...(agent === undefined ? [] : [`Default agent here: ${escapeHiddenLine(agent)}`]),
    ...(lines.length === 0 ? [] : [['Agents it defines, from the next session:', ...lines].join('\n')]),
    ...(Object.values(agents).some(({command}) => command !== undefined) ? [OF_ITS_NAME] : []),
  ];
}

/** Lists what servers would run and connect to, and which environment variables they would get. */
function serversText(servers: readonly ConfiguredServer[]): string {
  const lines = servers.map(
    (server) =>
      `  ${server.name} ${server.transport === 'stdio' ? 'runs' : 'connects to'}: ${describeServer(server)}`,
  );
  const variables = [...new Set(servers.flatMap(textsOf).flatMap(variablesIn))];
  const given =
    variables.length === 0
      ? []
      : [`They get these environment variables of yours: ${escapeHiddenLine(variables.join(', '))}`];
  return ['MCP servers it adds:', ...lines, ...given].join('\n');
}

/** Lists commands; what they run when they are used is asked about again. */
function commandsText(commands: ProjectSettings['commands']): readonly string[] {
  if (commands.length === 0) return [];
  const lines = commands.map(({name, description}) => `  /${name}: ${escapeHiddenLine(description)}`);
  return [['Commands it adds, as in the files below:', ...lines].join('\n')];
}

function namesOf({files, commands}: ProjectSettings): string {
  const settings = files.map(({name}) => name).filter((name) => !name.startsWith(COMMANDS_FOLDER));
  const names = [...settings, ...(commands.length > 0 ? [COMMANDS_FOLDER] : [])];
  return names.join(' and ') || PROJECT_FILE;
}

interface TrustContext {
  readonly store: Store<AppState, AppEvent>;
  readonly windowSessions: {
    clientOf(key: SessionKey): Pick<SessionActions, 'askUser' | 'changeQueue' | 'openSession'>;
  };
  /** Called once the settings are used. */
  readonly onUsed?: () => void;
}

/**
 * Asks as soon as a session in the folder is ready, and again in the next one if the question was cancelled. Until it is answered, no session there sends
 * anything; if the user cancels, the session that asked continues.
 */
export function askForTrust(trust: FolderTrust, {store, windowSessions, onUsed}: TrustContext): void {
  const {question} = trust;
  if (!question) return;
  const isDecided = () => trust.question === undefined;
  let isAsking = false;
  const sessions = () => Object.values(store.latest().sessions);

  function hold(key: SessionKey, isHeld: boolean): void {
    void windowSessions.clientOf(key).changeQueue({kind: 'hold', isHeld});
  }

  async function decide(key: SessionKey, isYes: boolean): Promise<void> {
    const notice = (level: 'info' | 'warning', text: string) => addNotice(store, text, {level, key});
    if (!isYes) {
      trust.decline();
      return notice('info', 'Folder settings are not used; asked again at the next start.');
    }
    const accepted = trust.accept();
    onUsed?.();
    notice('info', 'Folder settings are used; /permissions lists their rules.');
    if (!accepted.ok) notice('warning', failureSentence(accepted.failure));
    if (trust.hasServers) notice('info', await startServers(key));
  }

  /** Reopens the session, which was opened without the servers; returns the result as a sentence. */
  async function startServers(key: SessionKey): Promise<string> {
    const session = store.latest().sessions[key]?.session;
    const opening = session && howToReopen(session);
    const opened = opening && (await windowSessions.clientOf(key).openSession(opening));
    return opened?.ok
      ? 'Session reopened with the MCP servers of this folder; /mcp lists them.'
      : 'The MCP servers of this folder start with the next session: /new starts one.';
  }

  async function ask(key: SessionKey, question: UserQuestion): Promise<void> {
    if (isDecided() || isAsking) return;
    isAsking = true;
    const answer = await windowSessions.clientOf(key).askUser(question);
    isAsking = false;
    if (answer !== undefined) await decide(key, answer);
    // Queued prompts are sent with the new settings.
    for (const tab of sessions())
      if (tab.session.queue.isHeld && (isDecided() || tab.key === key)) hold(tab.key, false);
    const other = sessions().find(({session}) => session.queue.isHeld && isReady(session));
    if (other) void ask(other.key, question);
  }

  for (const {key, session} of sessions()) if (trust.isOf(session.cwd)) hold(key, true);
  store.onEvent((event, state) => {
    if (isDecided() || event.type !== 'session' || event.event.type !== 'connection_changed') return;
    const {key} = event;
    const session = state.sessions[key]?.session;
    if (!session || !trust.isOf(session.cwd)) return;
    // At once, or queued prompts would be sent before the question appears.
    hold(key, true);
    // Asking emits an event, which must not happen during this one.
    if (isReady(session)) queueMicrotask(() => void ask(key, question));
  });
}
