import {setImmediate} from 'node:timers/promises';
import type {Screen, StartOptions} from '../../../components/start.tsx';
import type {AgentStarts} from '../../agents/launch.ts';
import type {Effect} from '../../app/effects.ts';
import type {AppEvent} from '../../app/events.ts';
import {handleKey} from '../../app/handlers/index.ts';
import {initialApp} from '../../app/initial.ts';
import {reduceApp} from '../../app/reduce.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import {NO_SUCH_SESSION} from '../../cli/exit-codes.ts';
import type {InteractiveOptions} from '../../cli/options.ts';
import {openSubcommandIo, printFailure} from '../../cli/terminal-io.ts';
import {preferencesOf} from '../../window/preferences.ts';
import {createFaultReporter} from '../../window/faults.ts';
import {quietConsole} from '../../protocol/quiet-console.ts';
import type {AttachedSession} from '../../service/attached-session.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import type {EditorTarget} from '../../shared/editor-command.ts';
import {createStore, type Store} from '../../shared/store.ts';
import {readFileIfAny} from '../../shared/files/safe-files.ts';
import {resumeOrigin} from '../../storage/sessions/stored-session.ts';
import {effectiveSettings} from '../../settings/schema/settings-schema.ts';
import {windowBackground, type WindowBackground} from './background-sessions.ts';
import {newTab, type NewSessionOptions} from '../../window/effects/effect-context.ts';
import type {ExternalEditor} from './external-editor.ts';
import {setUpRun, type RunSetup} from '../start/run-setup.ts';
import type {EffectQueue} from './run-window.ts';
import {watchExitSignals, type ExitSignals} from '../start/shutdown.ts';

export interface InteractiveEnvironment extends AgentStarts {
  /** Loads the screen; nothing else may load it. */
  readonly loadScreen: () => Promise<{readonly start: (options: StartOptions) => Screen}>;
}

/** A session of the background service that a window is opened for. */
interface ShownSession {
  readonly attached: AttachedSession;
  /** True if the window begins with the list of open sessions. */
  readonly listsOpen: boolean;
  /** What the user should know of its folders, in sentences. */
  readonly problems: readonly string[];
}

/** The key of a window's first session. */
const FIRST_SESSION: SessionKey = 'session-1';

/** Draws a window, then runs a chat in it, or shows an attached session; resolves to the exit code when the terminal is restored and everything started has ended. */
export async function runInteractive(
  typed: InteractiveOptions,
  {demoCommand, loadScreen, startAgent}: InteractiveEnvironment,
  shown?: ShownSession,
): Promise<number> {
  if (!typed.color) process.env['NO_COLOR'] = '1';
  const setup = await setUpRun(typed, {hasUser: true, isWindow: true, demoCommand});
  const options = {...typed, ...setup.given};
  if (!setup.options.ok) {
    const {failure} = setup.options;
    await refuse(failure, setup);
    if (failure.kind === 'invalid_setting' && failure.at && (await correct(failure.at)))
      return runInteractive(typed, {demoCommand, loadScreen, startAgent}, shown);
    return failure.kind === 'no_such_session' ? NO_SUCH_SESSION : 2;
  }
  const {log, kept} = setup;
  const own: NewSessionOptions = {
    options: setup.options.value,
    before: resumeOrigin(kept?.id, options.fork),
    ...(kept && {session: kept.session}),
  };
  const background = windowBackground(options, setup);
  const begun = shown
    ? {ok: true as const, value: shown.attached}
    : await firstInBackground(background, own, setup);
  if (!begun.ok) return refuse(begun.failure, setup);
  const attached = begun.value;
  const first = {...own, ...(attached && {attached}), problems: shown?.problems ?? []};
  const store = openWindow(first, setup, options);
  const started: {readonly killNow: () => void}[] = [];
  const report = createFaultReporter(store, log.write);
  const exitSignals = watchExitSignals({
    killNow: () => started.forEach((each) => each.killNow()),
    log: log.write,
    logFile: log.file,
    report,
  });

  await warnOfCertificates();
  const restoreConsole = quietConsole(log.write);
  const effects = createEffectQueue();
  const beside = {editor: openedOnDemand(exitSignals), preferences: terminalPreferences(options, setup)};
  const screen = (await loadScreen()).start({store, handleKey, perform: effects.perform, ...beside});
  // After the first paint: sessions, agents and storage take longer to load than the screen.
  const {runWindow} = await import('./run-window.ts');
  // What was typed meanwhile is on the screen before the agent starts.
  await setImmediate();
  return runWindow({
    given: options,
    setup,
    first,
    background,
    listsOpen: shown?.listsOpen ?? false,
    demoCommand,
    startAgent,
    store,
    screen,
    effects,
    exitSignals,
    started,
    report,
  }).finally(restoreConsole);
}

/** Says why no window is opened; returns the exit code. */
async function refuse(failure: Failure, setup: RunSetup): Promise<number> {
  const exitCode = printFailure((text) => process.stderr.write(text), failure);
  await setup.discard();
  setup.close();
  return exitCode;
}

/** Offers to open the line of a settings file with which no agent starts; true after it was edited. */
async function correct(at: EditorTarget): Promise<boolean> {
  const {confirm, stderr} = openSubcommandIo();
  process.stdin.setRawMode(false);
  if (!(await confirm?.('Open it in your editor? [y/N] '))) return false;
  const {editFile} = await import('./external-editor.ts');
  const problem = await editFile(at);
  if (problem !== undefined) stderr(`acp-tui: ${problem}\n`);
  process.stdin.setRawMode(true);
  return problem === undefined;
}

/** The first session, if it runs in the background service already, or is to run there. */
async function firstInBackground(
  background: WindowBackground,
  own: NewSessionOptions,
  {isAgentOpen, kept}: RunSetup,
): Promise<Result<AttachedSession | undefined>> {
  if (isAgentOpen) return {ok: true, value: undefined};
  const running = kept && own.before?.continues === kept.id ? await background.attach(kept) : undefined;
  return running && (!running.ok || running.value) ? running : {ok: true, value: background.start(own)};
}

/** Keeps the effects of keys that are pressed before there are sessions. */
function createEffectQueue(): EffectQueue {
  const waiting: Effect[] = [];
  let performNow: EffectQueue['perform'] | undefined;
  return {
    perform: (effect) => void (performNow ? performNow(effect) : waiting.push(effect)),
    connect(perform) {
      performNow = perform;
      for (const effect of waiting) perform(effect);
    },
  };
}

/** Returns the user's settings for the terminal. */
function terminalPreferences(
  {screenReader}: InteractiveOptions,
  {settings}: RunSetup,
): NonNullable<StartOptions['preferences']> {
  const {glyphs, screenReader: isSet} = effectiveSettings(settings).accessibility;
  return {screenReader: screenReader || isSet, glyphs};
}

function openWindow(
  first: NewSessionOptions,
  {settings}: RunSetup,
  {theme, screen}: InteractiveOptions,
): Store<AppState, AppEvent> {
  const effective = effectiveSettings(settings);
  const preferences = preferencesOf(effective);
  return createStore(
    reduceApp,
    initialApp({
      session: newTab(FIRST_SESSION, first),
      ...preferences,
      theme: theme ?? preferences.theme,
      screen: screen ?? effective.screen,
    }),
  );
}

/** The external editor, loaded on first use. */
function openedOnDemand({withoutInterrupts}: ExitSignals): ExternalEditor {
  let editor: ExternalEditor | undefined;
  return {
    edit: (text, file) =>
      withoutInterrupts(async () => {
        const {createExternalEditor} = await import('./external-editor.ts');
        editor ??= createExternalEditor();
        return editor.edit(text, file);
      }),
    end: () => editor?.end(),
  };
}

/**
 * Has Node warn of a file in NODE_EXTRA_CA_CERTS that it cannot use. It writes that to the terminal by itself when TLS is first needed, which would be in the
 * middle of the screen.
 */
async function warnOfCertificates(): Promise<void> {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (!file || readFileIfAny(file, Infinity)?.includes('-----BEGIN')) return;
  (await import('node:tls')).getCACertificates('extra');
}
