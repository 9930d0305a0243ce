import {existsSync} from 'node:fs';
import {setFlagsFromString} from 'node:v8';
import type {Screen, StartOptions} from '../../components/start.tsx';
import {needsTicks} from '../app/status/notifications.ts';
import type {Effect} from '../app/effects.ts';
import type {AppEvent} from '../app/events.ts';
import {initialApp, programOf, type WindowStart} from '../app/initial.ts';
import {readKeys} from '../app/keymap/key-settings.ts';
import {handleKey} from '../app/handlers/index.ts';
import {reduceApp} from '../app/reduce.ts';
import {ownThemes} from '../app/themes/own-themes.ts';
import type {AppState} from '../app/state.ts';
import type {InteractiveOptions} from '../cli/options.ts';
import {askForTrust} from '../client/trust/folder-trust.ts';
import type {Client} from '../client/client.ts';
import type {ClientOptions} from '../client/options.ts';
import type {WindowOptions} from '../client/window/window-sessions.ts';
import {createFaultReporter} from '../client/window/faults.ts';
import {quietConsole} from '../protocol/quiet-console.ts';
import type {WireEvent} from '../recording/format.ts';
import {createWireRingBuffer} from '../recording/ring-buffer.ts';
import {initialSession} from '../session/initial.ts';
import {failureSentence} from '../shared/failure-messages.ts';
import type {Failure} from '../shared/failure.ts';
import {createStore, type Store} from '../shared/store.ts';
import {createTempDir} from '../shared/folders.ts';
import {sessionFile} from '../storage/sessions/event-file.ts';
import {storedBefore} from '../storage/sessions/stored-session.ts';
import {textIfAny} from '../storage/files.ts';
import {DEFAULTS} from '../storage/settings/settings-schema.ts';
import type {ExternalEditor} from './external-editor.ts';
import {type RunKind, setUpRun, type RunSetup} from './run-setup.ts';
import {watchExitSignals, type ExitSignals} from './shutdown.ts';
import {openStartupOverlay, chooseFirstAgent} from './startup-overlay.ts';
import {createTerminalHandover, type TerminalHandover} from './terminal-handover.ts';
import {showUpdateNotice} from './update-notice.ts';
import {configuredAgents, windowAgents} from './window-agents.ts';
import {createWindowStorage, type WindowStorage} from './window-storage.ts';
import type {WindowSessions, WindowSettings} from '../client/window/effect-context.ts';

export interface InteractiveEnvironment {
  readonly demoCommand: RunKind['demoCommand'];
  /** Loads the screen; nothing else may load it. */
  readonly loadScreen: () => Promise<{readonly start: (options: StartOptions) => Screen}>;
}

type Window = Store<AppState, AppEvent>;

/** The key of a window's first session. */
const FIRST_SESSION = 'session-1';

/** Runs a chat in a window; resolves to the exit code when the terminal is restored and everything started has ended. */
export async function runInteractive(
  given: InteractiveOptions,
  {demoCommand, loadScreen}: InteractiveEnvironment,
): Promise<number> {
  if (!given.color) process.env['NO_COLOR'] = '1';
  const setup = await setUpRun(given, {person: true, demoCommand});
  if (!setup.options.ok) {
    process.stderr.write(`acp-tui: ${failureSentence(setup.options.failure)}\n`);
    return setup.options.failure.kind === 'no_such_session' ? 4 : 2;
  }
  const {paths, settings, problems, log} = setup;
  const options = setup.options.value;
  const keys = readKeys(settings.keys ?? {});
  const store = openWindow(options, setup, {theme: given.theme, screen: given.screen, keys});
  const storage = openStorage(store, given, {client: options, setup});
  let sessions: WindowSessions | undefined;
  let handover: TerminalHandover | undefined;
  const killNow = () => [sessions, handover].forEach((started) => started?.killNow());
  const report = createFaultReporter(store, log.write);
  const exitSignals = watchExitSignals({killNow, log: log.write, logFile: log.file, report});

  await warnOfCertificates();
  const restoreConsole = quietConsole(log.write);
  // The agent is started after the first paint: its modules take longer to load than the screen.
  const waiting: Effect[] = [];
  const perform = (effect: Effect) => void (sessions ? sessions.perform(effect) : waiting.push(effect));
  const beside = {editor: openedOnDemand(exitSignals), preferences: terminalPreferences(given, setup)};
  const screen = (await loadScreen()).start({store, handleKey, perform, ...beside});
  handover = createTerminalHandover(screen, exitSignals);
  setImmediate(() => storage.load());
  limitYoungHeap();
  tick(store);
  for (const problem of [...problems, ...keys.problems]) notice(store, problem);
  submit(store, given.prompt);
  const {createWindowSessions} = await import('../client/window/window-sessions.ts');
  const own = {changesFolder: paths.state, foreground: handover.lend, ...(await snapshotsOf(setup))};
  const agents = windowAgents(given, setup, own);
  const agentsToAsk = () => configuredAgents(setup, demoCommand);
  const quit = () => exitSignals.leave(0);
  const shared = {...sharedOptions(setup, store), settings: settingsOf(setup, given)};
  sessions = createWindowSessions({store, storage, agents, agentsToAsk, ...shared, report, quit});
  const client = sessions.start(FIRST_SESSION, {...options, ...own});
  for (const effect of waiting) sessions.perform(effect);
  if (setup.trust) askForTrust(setup.trust, {store, windowSessions: sessions});
  const missing = openFirst(client, setup, exitSignals);
  if (setup.isAgentOpen) chooseFirstAgent(store, {key: FIRST_SESSION, chooser: sessions.chooser, perform});
  else openStartupOverlay(store, {given, sessions: storage.sessions, perform});
  void showUpdateNotice(store, {agents, state: paths.state});

  const exitCode = await exitSignals.wanted;
  await handover.end();
  await screen.unmount();
  storage.closeDrafts();
  const id = storage.recording.id(store.latest().active);
  await sessions.closeAll();
  storage.close();
  restoreConsole();
  setup.close();
  if (missing.failure) process.stderr.write(`acp-tui: ${failureSentence(missing.failure)}\n`);
  else if (exitCode === 0 && id !== undefined) printResumeHint(id, paths.state);
  return exitCode;
}

/** Returns the user's settings for the terminal. */
function terminalPreferences(
  {screenReader}: InteractiveOptions,
  {settings}: RunSetup,
): NonNullable<StartOptions['preferences']> {
  const {glyphs, screenReader: isSet} = {...DEFAULTS, ...settings};
  return {screenReader: screenReader || isSet, glyphs};
}

/** Returns where the settings screen reads and writes. */
function settingsOf({paths}: RunSetup, given: InteractiveOptions): WindowSettings {
  const {config, state} = paths;
  const options = {
    ...(given.agent !== undefined && {agent: {option: '--agent', value: given.agent}}),
    ...(given.approve !== undefined && {approve: {option: '--approve', value: given.approve}}),
    ...(given.theme !== undefined && {theme: {option: '--theme', value: given.theme}}),
    ...(given.screen !== undefined && {
      screen: {option: given.screen === 'full' ? '--fullscreen' : '--inline', value: given.screen},
    }),
    ...(given.screenReader && {screenReader: {option: '--screen-reader', value: true}}),
    ...(!given.save && {'sessions.save': {option: '--no-save', value: false}}),
  };
  return {config, state, env: process.env, options};
}

/** None if nothing is stored. */
async function snapshotsOf({settings, paths, save}: RunSetup): Promise<Pick<ClientOptions, 'openSnapshots'>> {
  const defaults = DEFAULTS.snapshots;
  const {
    take = defaults.take,
    keepDays = defaults.keepDays,
    waitSeconds = defaults.waitSeconds,
  } = settings.snapshots ?? {};
  if (!save || !take) return {};
  const {createTurnSnapshots} = await import('../snapshots/turn-snapshots.ts');
  return {
    openSnapshots: (of) =>
      createTurnSnapshots({...of, state: paths.state, keepDays, maxWaitMs: waitSeconds * 1000}),
  };
}

/** The session may not have reached the disk. */
function printResumeHint(id: string, state: string): void {
  if (existsSync(sessionFile(state, id))) process.stdout.write(`To resume this session: acp-tui -r ${id}\n`);
}

/**
 * Opens the window's first session, once an agent was selected; on `failure`, exits with it. A stored session can still be read, and passed to another agent
 * as context.
 */
function openFirst(
  client: Client,
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

function openStorage(
  store: Window,
  {fork}: InteractiveOptions,
  {
    client,
    setup: {kept, paths, settings, save, recorder},
  }: {readonly client: ClientOptions; readonly setup: RunSetup},
): WindowStorage {
  return createWindowStorage(store, {
    key: FIRST_SESSION,
    client,
    before: storedBefore(kept?.id, fork),
    limits: settings.sessions ?? {},
    state: paths.state,
    recordedIn: recorder?.file,
    save,
    warn: (text) => notice(store, text),
  });
}

type SharedOptions = Pick<
  WindowOptions,
  'log' | 'permissions' | 'secrets' | 'stateFolder' | 'wire' | 'wireLines'
>;

/** The newest protocol messages are kept in memory, and all of them in the requested recording. */
function sharedOptions(
  {recorder, log, permissions, secrets, paths, save}: RunSetup,
  store: Window,
): SharedOptions {
  const ring = createWireRingBuffer();
  let isReported = false;
  function onEvent(event: WireEvent): void {
    ring.add(event);
    recorder?.record(event);
    const failure = recorder?.failure();
    if (!failure || isReported) return;
    isReported = true;
    // Not during an event: the notice is an event itself.
    queueMicrotask(() => notice(store, `Recording stopped. ${failureSentence(failure)}`));
  }
  return {
    log: log.write,
    permissions,
    secrets,
    stateFolder: save ? paths.state : createTempDir(),
    wire: {onEvent},
    wireLines: ring.lines,
  };
}

function openWindow(
  {cwd, additionalDirectories, agent, approval}: ClientOptions,
  {kept, settings}: RunSetup,
  given: Pick<WindowStart, 'keys'> & Pick<InteractiveOptions, 'theme' | 'screen'>,
): Window {
  const session = kept?.session ?? initialSession({cwd, additionalDirectories, at: Date.now()});
  const {theme, screen, ...preferences} = {...DEFAULTS, ...settings};
  return createStore(
    reduceApp,
    initialApp({
      session: {
        key: FIRST_SESSION,
        agentLabel: agent.label,
        agentProgram: programOf(agent),
        session,
        approval,
      },
      ...given,
      theme: given.theme ?? theme,
      screen: given.screen ?? screen,
      editing: preferences.editing,
      requireReading: preferences.requireReading,
      reducedMotion: preferences.reducedMotion,
      notifications: preferences.notifications,
      ownThemes: ownThemes(settings.themes),
      sidePanel: preferences.sidePanel,
      mouse: preferences.mouse,
      images: preferences.images,
      agentColors: settings.agentColors,
    }),
  );
}

/** Sends the prompt from the command line. */
function submit(store: Window, text: string | undefined): void {
  if (text !== undefined) store.dispatch({type: 'prompt_submitted', key: FIRST_SESSION, text, place: 'last'});
}

/** In the active session, because notices of the window belong to none. */
function notice(store: Window, text: string): void {
  store.dispatch({
    type: 'session',
    key: store.latest().active,
    event: {type: 'notice', level: 'warning', text, at: Date.now()},
    at: performance.now(),
  });
}

/** The external editor, loaded on first use. */
function openedOnDemand({withoutInterrupts}: ExitSignals): ExternalEditor {
  let editor: ExternalEditor | undefined;
  return {
    edit: (text) =>
      withoutInterrupts(async () => {
        const {createExternalEditor} = await import('./external-editor.ts');
        editor ??= createExternalEditor();
        return editor.edit(text);
      }),
    end: () => editor?.end(),
  };
}

/** Emits ticks while something waits for them. */
function tick(store: Window): void {
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

/**
 * Has Node warn of a file in NODE_EXTRA_CA_CERTS that it cannot use. It writes that to the terminal by itself when TLS is first needed, which would be in the
 * middle of the screen.
 */
async function warnOfCertificates(): Promise<void> {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (!file || textIfAny(file, Infinity)?.includes('-----BEGIN')) return;
  (await import('node:tls')).getCACertificates('extra');
}

/**
 * Limits the young generation of the heap to its current size: bursts of output grow it to 48 MB, which is never returned, and saves hardly any time (measured
 * by `npm run bench -- streaming long-transcript`). A command-line flag would do the same, at the cost of another process per start.
 */
function limitYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
