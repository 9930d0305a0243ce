import {basename} from 'node:path';
import {commandText} from '../../agents/quoting.ts';
import type {AppEvent} from '../../app/events.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import type {UserQuestion} from '../../host/services.ts';
import {textsOf, describeServer, type ConfiguredServer} from '../../mcp/config.ts';
import {variablesIn} from '../../mcp/prepare.ts';
import type {SessionActions} from '../../session/actions.ts';
import {reopening} from '../../session/lifecycle/agent-capabilities.ts';
import {isReady} from '../../session/selectors.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Result} from '../../shared/failure.ts';
import type {Store} from '../../shared/store.ts';
import {
  PROJECT_FILE,
  readProjectSettings,
  type ProjectSettings,
} from '../../storage/settings/project-settings.ts';
import {isTrusted, realFolder, trustFolder} from '../../storage/settings/trusted-folders.ts';
import {escapeHiddenFile, escapeHiddenLine} from '../../text/hidden.ts';
import type {Client} from '../client.ts';
import type {McpConfig} from './mcp-servers.ts';
import type {PermissionRules} from './permission-rules.ts';

/** The settings that a folder brings, and whether they hold. */
export interface FolderTrust {
  /** What to ask the user; undefined when the settings are trusted already. */
  readonly question: UserQuestion | undefined;
  /** True for the folder that brings them, under any of its names. */
  readonly isOf: (folder: string) => boolean;
  /** The user said yes: they hold from now on, here and in later runs, until a file changes. */
  accept(): Result<void>;
  /** True where it names MCP servers, which only a session that is opened later has. */
  readonly hasServers: boolean;
  /** A sentence for each that cannot be used. */
  readonly problems: readonly string[];
}

interface FolderTrustOptions {
  /** The state folder. */
  readonly state: string;
  /** The working folder. */
  readonly folder: string;
  readonly permissions: Pick<PermissionRules, 'useProject'>;
  readonly mcp: Pick<McpConfig, 'useProject'>;
  readonly person: boolean;
}

/**
 * Reads what the folder brings, and uses it when the user has trusted exactly that. Nothing of it holds otherwise; where nobody
 * can be asked, a problem says so. Undefined where there is nothing.
 */
export function openFolderTrust({
  state,
  folder,
  permissions,
  mcp,
  person,
}: FolderTrustOptions): FolderTrust | undefined {
  const project = readProjectSettings(folder);
  if (!project) return undefined;
  const {hash, rules, servers, problems} = project;
  const real = realFolder(folder);
  const isOf = (other: string) => realFolder(other) === real;
  const use = () => {
    permissions.useProject({rules, holdIn: isOf});
    mcp.useProject({servers, holdIn: isOf});
  };
  const hasServers = servers.length > 0;
  if (isTrusted(state, folder, hash)) {
    use();
    return {isOf, hasServers, question: undefined, accept: () => ({ok: true, value: undefined}), problems};
  }
  const ignored =
    `${namesOf(project)} of this folder: ignored, not trusted yet. ` +
    'Start acp-tui here without -p to decide.';
  return {
    isOf,
    hasServers,
    question: questionAbout(project, folder),
    accept() {
      use();
      return trustFolder(state, folder, hash);
    },
    problems: person ? [] : [ignored],
  };
}

function questionAbout(project: ProjectSettings, folder: string): UserQuestion {
  const {files, rules, servers, problems} = project;
  const added = rules.map(({effect, text}) => `  ${effect} ${escapeHiddenLine(text)}`);
  const text = [
    `${namesOf(project)} can change what agents may do here and what they start. Nothing applies until you accept. ` +
      'You are asked again when it changes.',
    ...(added.length === 0 ? [] : [`It adds these rules:\n${added.join('\n')}`]),
    ...(servers.length === 0 ? [] : [serversText(servers)]),
    ...agentsText(project.agents),
    ...problems,
    ...files.map((file) => `${file.name}:\n${quotedText(file.text)}`),
  ].join('\n\n');
  return {
    title: `Trust the settings of the folder ${escapeHiddenLine(basename(folder))}?`,
    text,
    yes: 'Trust and use them',
    no: 'Not now',
  };
}

/** Which agents would be started here, and how. */
function agentsText({agent, agents}: ProjectSettings['agents']): readonly string[] {
  const lines = Object.entries(agents).map(([name, {command, env = {}}]) => {
    const variables = Object.keys(env);
    const runs = command === undefined ? '' : ` runs: ${escapeHiddenLine(commandText(command))}`;
    return `  ${escapeHiddenLine(name)}${runs}${variables.length === 0 ? '' : ` with ${escapeHiddenLine(variables.join(', '))}`}`;
  });
  return [
    ...(agent === undefined ? [] : [`Default agent here: ${escapeHiddenLine(agent)}`]),
    ...(lines.length === 0 ? [] : [['Agents it defines, from the next session:', ...lines].join('\n')]),
  ];
}

/** What servers would run and reach, and what of the environment they would be given. */
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

/** The text of a file, set off from what we say of it. */
function quotedText(text: string): string {
  return escapeHiddenFile(text.trimEnd()).replace(/^/gm, '  ');
}

function namesOf({files}: ProjectSettings): string {
  return files.map(({name}) => name).join(' and ') || PROJECT_FILE;
}

interface TrustContext {
  readonly store: Store<AppState, AppEvent>;
  readonly windowSessions: {
    clientOf(key: SessionKey): Pick<Client, 'askUser'> & {
      readonly actions: Pick<SessionActions, 'openSession'>;
    };
  };
}

/**
 * Asks as soon as a session in the folder is ready, and again with the next one that is when the question went away. Until it is
 * answered no session there sends anything; a user who cancels the question lets the one that asked go on.
 */
export function askForTrust(trust: FolderTrust, {store, windowSessions}: TrustContext): void {
  const {question} = trust;
  if (!question) return;
  let isDecided = false;
  let isAsking = false;
  const sessions = () => Object.values(store.latest().sessions);

  function hold(key: SessionKey, isAwaited: boolean): void {
    store.dispatch({type: 'trust_awaited', key, isAwaited});
  }

  async function decide(key: SessionKey, isYes: boolean): Promise<void> {
    isDecided = true;
    const notice = (level: 'info' | 'warning', text: string) => {
      const event = {type: 'notice', level, text, at: Date.now()} as const;
      store.dispatch({type: 'session', key, event, at: performance.now()});
    };
    if (!isYes) return notice('info', 'Folder settings are not used; asked again at the next start.');
    const accepted = trust.accept();
    notice('info', 'Folder settings are used; /permissions lists their rules.');
    if (!accepted.ok) notice('warning', failureSentence(accepted.failure));
    if (trust.hasServers) notice('info', await startServers(key));
  }

  /** The session that asked was opened without them. What came of opening it again, in words. */
  async function startServers(key: SessionKey): Promise<string> {
    const session = store.latest().sessions[key]?.session;
    const opening = session && reopening(session);
    const opened = opening && (await windowSessions.clientOf(key).actions.openSession(opening));
    return opened?.ok
      ? 'Session reopened with the MCP servers of this folder; /mcp lists them.'
      : 'The MCP servers of this folder start with the next session: /new starts one.';
  }

  async function ask(key: SessionKey, asked: UserQuestion): Promise<void> {
    if (isDecided || isAsking) return;
    isAsking = true;
    const answer = await windowSessions.clientOf(key).askUser(asked);
    isAsking = false;
    if (answer !== undefined) await decide(key, answer);
    // What waits is sent with the settings that hold by now.
    for (const open of sessions())
      if (open.waitsForTrust && (isDecided || open.key === key)) hold(open.key, false);
    const other = sessions().find(({waitsForTrust, session}) => waitsForTrust && isReady(session));
    if (other) void ask(other.key, asked);
  }

  for (const {key, session} of sessions()) if (trust.isOf(session.cwd)) hold(key, true);
  store.onEvent((event, state) => {
    if (isDecided || (event.type !== 'session_added' && event.type !== 'session')) return;
    const {key} = event;
    const session = state.sessions[key]?.session;
    const begins = event.type === 'session_added' || event.event.type === 'connection_changed';
    if (!begins || !session || !trust.isOf(session.cwd)) return;
    // At once, or what waits would be sent before the question is on its way.
    hold(key, true);
    // The question is an event itself: it must not come in the middle of this one.
    if (isReady(session)) queueMicrotask(() => void ask(key, question));
  });
}
