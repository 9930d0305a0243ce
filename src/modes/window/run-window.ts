import {existsSync} from 'node:fs';
import type {Screen} from '../../../components/start.tsx';
import {applyReaction, type Effect} from '../../app/effects.ts';
import type {AppEvent} from '../../app/events.ts';
import {showBoard} from '../../app/board/follow-board.ts';
import {behindSlashes} from '../../app/commands/behind-slashes.ts';
import {submitPrompt} from '../../app/queue/queue.ts';
import {restoreUnsent, type UnsentInput} from '../../app/sessions.ts';
import type {AppState} from '../../app/state.ts';
import {needsTicks} from '../../app/status/notifications.ts';
import type {InteractiveOptions, WorktreeRequest} from '../../cli/options.ts';
import type {ConversationOptions} from '../../conversation/options.ts';
import type {CommandLibrary} from '../../conversation/prompt/command-library.ts';
import {askAboutOthers} from '../../window/trust/other-commands.ts';
import {askForTrust} from '../../window/trust/folder-trust.ts';
import type {NewSessionOptions, WindowOptions, WindowSessions} from '../../window/effects/effect-context.ts';
import {markRead} from '../../window/sessions/mark-read.ts';
import {addNotice} from '../../window/notices.ts';
import type {ReportFault} from '../../window/faults.ts';
import {followStatusCommand} from '../../window/status-command.ts';
import {createWindowSessions} from '../../window/sessions/window-sessions.ts';
import type {WireEvent} from '../../recording/format.ts';
import {createWireRingBuffer} from '../../recording/ring-buffer.ts';
import {isUntouched} from '../../session/selectors.ts';
import {nameOfSession, sessionTitle} from '../../session/titles.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure} from '../../shared/failure.ts';
import {createTempDir} from '../../shared/files/folders.ts';
import type {Store} from '../../shared/store.ts';
import {sessionFile} from '../../storage/sessions/event-file.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {changeAt, readSettings} from '../../settings/settings.ts';
import type {RunKind} from '../start/run-options.ts';
import type {RunSetup} from '../start/run-setup.ts';
import {sessionServices} from '../start/session-services.ts';
import type {ExitSignals} from '../start/shutdown.ts';
import {chooseFirstAgent, openStartupOverlay} from './startup-overlay.ts';
import type {WindowBackground} from './background-sessions.ts';
import {createTerminalHandover} from './terminal-handover.ts';
import {showUpdateNotice} from './update-notice.ts';
import {agentNames, configuredAgents, optionsForOthers, windowAgents} from './window-agents.ts';
import {createWindowStorage, type WindowStorage} from './window-storage.ts';

type WindowStore = Store<AppState, AppEvent>;

/** Performs effects as soon as there are sessions. */
export interface EffectQueue {
  readonly perform: (effect: Effect) => void;
  /** Has `perform` perform the effects so far, and all others from now on. */
  readonly connect: (perform: (effect: Effect) => void) => void;
}

/** A window that is on the screen. */
interface RunningWindow {
  readonly given: InteractiveOptions;
  readonly setup: RunSetup;
  /** Its first session, which is in the state. */
  readonly first: NewSessionOptions;
  readonly background: WindowBackground;
  /** True if it begins with the list of open sessions. */
  readonly listsOpen: boolean;
  readonly demoCommand: RunKind['demoCommand'];
  readonly startAgent: WindowOptions['startAgent'];
  readonly store: WindowStore;
  readonly screen: Screen;
  readonly effects: EffectQueue;
  readonly exitSignals: ExitSignals;
  /** What is killed by exits that cannot wait. */
  readonly started: {readonly killNow: () => void}[];
  readonly report: ReportFault;
}

/** Gives a window its storage, sessions and agents; resolves to the exit code when the terminal is restored and everything started has ended. */
export async function runWindow(window: RunningWindow): Promise<number> {
  const {given, setup, first, background, store, screen, effects, exitSignals, report, started} = window;
  const {attached, options} = first;
  const key = store.latest().active;
  const {paths, save, permissions, secrets, log, useFolder} = setup;
  const storage = openStorage(window);
  const handover = createTerminalHandover(screen, exitSignals);
  started.push(handover);
  tick(store);
  const own = {...(await sessionServices(setup)), foreground: handover.lend};
  const agents = windowAgents(given, setup, own);
  const sessions = createWindowSessions({
    store,
    storage,
    agents,
    agentsToAsk: () => configuredAgents(setup, window.demoCommand),
    optionsForAgent: optionsForOthers(given, setup),
    background,
    ...wireOf(setup, store),
    startAgent: window.startAgent,
    log: log.write,
    permissions,
    useFolder,
    secrets,
    stateFolder: save ? paths.state : createTempDir(),
    settings: {...paths, env: process.env, options: overridingOptions(given)},
    report,
    openWorktree: (options, named) => newWorktree(setup, options, named),
    quit: () => exitSignals.leave(0),
  });
  started.push(sessions);
  const client = sessions.start(key, {...first, options: {...options, ...own}});
  markRead({store, storage});
  const stopStatus = followStatusCommand({store, sessions, warn: (text) => addNotice(store, text)});
  showNotices(setup, store);
  effects.connect(sessions.perform);
  const {perform} = effects;
  await submitFirst(window, own.customCommands);
  if (!attached) askAtStart(window, sessions, own.customCommands);
  const missing = openFirst(client, attached ? {...setup, isAgentOpen: false} : setup, exitSignals);
  if (setup.isAgentOpen && !attached) chooseFirstAgent(store, {key, chooser: sessions.chooser, perform});
  else if (!attached) openStartupOverlay(store, {given, sessions: storage.sessions, perform});
  if (window.listsOpen) applyReaction(showBoard(), store, perform);
  // After the overlay, which opens only while the prompt is empty.
  const restore = (unsent: UnsentInput) => applyReaction(restoreUnsent(key, unsent), store, perform);
  storage.load(restore);
  const left = attached ? undefined : storage.unsentOf(first.before?.continues);
  if (left) restore(left);
  void showUpdateNotice(store, {agents, state: paths.state});

  const exitCode = await exitSignals.wanted;
  await handover.end();
  stopStatus();
  const stored = await closeWindow(window, storage, sessions);
  const moved = await background.finish();
  const failure = missing.failure ?? (moved.ok ? undefined : moved.failure);
  if (failure) process.stderr.write(`acp-tui: ${failureSentence(failure)}\n`);
  if (exitCode !== 0 || missing.failure) return exitCode;
  const goOn = stored.flatMap(({id, goesOn}) => (goesOn ? [id] : []));
  printHints(stored, new Set([...(moved.ok ? moved.value : []), ...goOn]), paths.state);
  return exitCode;
}

/** Submits the prompt of the command line. The agent has not named its commands yet. */
async function submitFirst(
  {given: {prompt}, first: {options}, store, effects}: RunningWindow,
  library: CommandLibrary,
): Promise<void> {
  if (prompt === undefined) return;
  const {commands, unusable} = await library.list(options.cwd);
  const meant = behindSlashes(prompt, {custom: commands, agents: [...commands, ...unusable]});
  applyReaction(submitPrompt(store.latest().active, meant), store, effects.perform);
}

/** Shows what was found before the window was open, and tells it the names of the agents. */
function showNotices(setup: RunSetup, store: WindowStore): void {
  const {notices, problems} = setup;
  store.dispatch({type: 'changed', change: {agentNames: agentNames(setup)}});
  for (const notice of notices) addNotice(store, notice, {level: 'info'});
  for (const problem of [...problems, ...store.latest().keyProblems]) addNotice(store, problem);
}

/** Creates a worktree with the settings as they are now. */
async function newWorktree({paths}: RunSetup, options: ConversationOptions, named: WorktreeRequest) {
  const {openWorktree} = await import('../start/session-worktree.ts');
  const {settings} = readSettings(paths.config);
  return openWorktree(options, named, {paths, settings});
}

/** Asks about the settings of the folder, and the commands of other clients. */
function askAtStart(
  {setup, store}: RunningWindow,
  sessions: WindowSessions,
  customCommands: CommandLibrary,
): void {
  const {trust, paths} = setup;
  if (trust) askForTrust(trust, {store, windowSessions: sessions, onUsed: () => customCommands.refresh()});
  askAboutOthers({
    store,
    library: customCommands,
    clientOf: (key) => sessions.clientOf(key),
    async decide(use) {
      const saved = await changeAt(paths.config, ['otherCommands'], use);
      if (!saved.ok) addNotice(store, failureSentence(saved.failure));
      customCommands.refresh();
    },
  });
}

/** Restores the terminal and ends all sessions; returns those that are stored. */
async function closeWindow(
  {store, screen, setup}: RunningWindow,
  storage: WindowStorage,
  sessions: WindowSessions,
): Promise<readonly NamedSession[]> {
  await screen.unmount();
  storage.closeDrafts();
  const stored = storedSessions(store.latest(), storage);
  await sessions.closeAll();
  storage.close();
  setup.close();
  return stored;
}

function openStorage({store, first, setup}: RunningWindow): WindowStorage {
  const {settings, paths, save, recorder} = setup;
  return createWindowStorage(store, {
    cwd: first.options.cwd,
    limits: settings.sessions ?? {},
    state: paths.state,
    recordedIn: recorder?.file,
    save,
    warn: (text) => addNotice(store, text),
  });
}

/** Returns the settings that the command line overrides. */
function overridingOptions({agent, approve, theme, screen, screenReader, save}: InteractiveOptions) {
  const given: [setting: string, option: string, value: unknown][] = [
    ['agent', '--agent', agent],
    ['approve', '--approve', approve],
    ['theme', '--theme', theme],
    ['screen', screen === 'full' ? '--fullscreen' : '--inline', screen],
    ['accessibility.screenReader', '--screen-reader', screenReader || undefined],
    ['sessions.save', '--no-save', save ? undefined : false],
  ];
  return Object.fromEntries(
    given.flatMap(([setting, option, value]) => (value === undefined ? [] : [[setting, {option, value}]])),
  );
}

interface NamedSession {
  readonly id: string;
  readonly name: string;
  /** In the background service. */
  readonly goesOn: boolean;
}

/** The sessions of the window that are stored, the shown one first. */
function storedSessions({sessions, active}: AppState, {recording}: WindowStorage): readonly NamedSession[] {
  const keys = [active, ...Object.keys(sessions).filter((key) => key !== active)];
  return keys.flatMap((key) => {
    const [id, tab] = [recording.id(key), sessions[key]];
    if (id === undefined || !tab) return [];
    const {session, isAttached} = tab;
    const name = nameOfSession({title: sessionTitle(session), firstPrompt: undefined});
    return [{id, name, goesOn: isAttached && session.connection.kind !== 'closed' && !isUntouched(session)}];
  });
}

/** Says how to get back to the sessions: those that go on in the background, and those that are resumed. */
function printHints(sessions: readonly NamedSession[], running: ReadonlySet<string>, state: string): void {
  const inBackground = sessions.filter(({id}) => running.has(id));
  if (inBackground.length > 0) process.stdout.write(detachedHint(inBackground));
  const ended = sessions.filter(({id}) => !running.has(id));
  printResumeHint(ended, state);
}

function detachedHint(sessions: readonly NamedSession[]): string {
  const [{id: only} = {id: ''}] = sessions;
  const isOnly = sessions.length === 1;
  const lines = [
    ...sessions.map(({id, name}) => [`attach ${id}`, isOnly ? 'shows it' : sanitizeLine(name)]),
    ['service status', 'lists what runs'],
    [`service stop ${isOnly ? only : 'ID'}`, 'ends it'],
  ].map(([command = '', does]) => `  acp-tui ${command.padEnd(26)}${does}\n`);
  const what = isOnly ? `Session ${only} goes` : `${sessions.length} sessions go`;
  return `${what} on in the background.\n${lines.join('')}`;
}

/** Names the sessions that reached the disk. */
function printResumeHint(sessions: readonly NamedSession[], state: string): void {
  const found = sessions.filter(({id}) => existsSync(sessionFile(state, id)));
  const [only] = found;
  if (!only) return;
  const {npm_lifecycle_event: script, npm_package_name: name} = process.env;
  // In a clone of the repository there is no other command.
  const command = script === 'start' && name === 'acp-tui' ? 'npm start -- -r' : 'acp-tui -r';
  const lines = found.map(({id, name}) => `  ${command} ${id}  ${sanitizeLine(name)}\n`);
  const text =
    found.length === 1
      ? `To resume this session: ${command} ${only.id}\n`
      : `To resume these sessions:\n${lines.join('')}`;
  process.stdout.write(text);
}

/**
 * Opens the window's first session, once an agent was selected; on `failure`, exits with it. A stored session can still be read, and passed to another agent
 * as context.
 */
function openFirst(
  client: ReturnType<WindowSessions['start']>,
  {isAgentOpen, kept, rememberAgent}: RunSetup,
  {leave}: ExitSignals,
): {readonly failure: Failure | undefined} {
  const missing: {failure: Failure | undefined} = {failure: undefined};
  if (isAgentOpen) return missing;
  void client.open().then((opened) => {
    if (opened.ok) return rememberAgent();
    if (opened.failure.kind !== 'no_such_session' || kept) return undefined;
    missing.failure = opened.failure;
    return leave(4);
  });
  return missing;
}

/** The newest protocol messages are kept in memory, and all of them in the requested recording. */
function wireOf({recorder}: RunSetup, store: WindowStore): Pick<WindowOptions, 'wire' | 'wireLines'> {
  const ring = createWireRingBuffer();
  let isReported = false;
  function onEvent(event: WireEvent): void {
    ring.add(event);
    recorder?.record(event);
    const failure = recorder?.failure();
    if (!failure || isReported) return;
    isReported = true;
    // Not during an event: the notice is an event itself.
    queueMicrotask(() => addNotice(store, `Recording stopped. ${failureSentence(failure)}`));
  }
  return {wire: {onEvent}, wireLines: ring.lines};
}

/** Emits ticks while something waits for them. */
function tick(store: WindowStore): void {
  let timer: NodeJS.Timeout | undefined;
  const follow = () => {
    if (needsTicks(store.getSnapshot())) {
      timer ??= setInterval(() => store.dispatch({type: 'tick', at: performance.now()}), 250);
    } else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  store.subscribe(follow);
  follow();
}
