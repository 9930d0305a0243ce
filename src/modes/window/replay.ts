import type {Effect, EffectKind, EffectOf} from '../../app/effects.ts';
import {initialApp} from '../../app/initial.ts';
import {handleKey} from '../../app/handlers/index.ts';
import {reduceApp} from '../../app/reduce.ts';
import {activeSession} from '../../app/sessions.ts';
import {copyToClipboard} from '../../window/effects/export-effects.ts';
import {preferencesOf} from '../../window/preferences.ts';
import {createPlayer} from '../../window/replay-player.ts';
import {replayedRuns} from '../../conversation/replay/wire-to-events.ts';
import {createWireViewer} from '../../window/wire-inspector.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {watchExitSignals} from '../start/shutdown.ts';
import {findPaths} from '../../shared/files/paths.ts';
import {loadRecording} from '../../storage/recordings/load-recording.ts';
import {effectiveSettings} from '../../settings/schema/settings-schema.ts';
import {readSettings} from '../../settings/settings.ts';
import {isStart, type RecordingLine} from '../../recording/format.ts';
import type {SessionEvent} from '../../session/events.ts';
import {initialSession} from '../../session/initial.ts';
import {createStore} from '../../shared/store.ts';
import type {InteractiveEnvironment} from './interactive.ts';
import type {ReplayOptions} from '../../cli/recording-options.ts';

const REPLAY_SESSION = 'replay';

type Handler<Handled extends Effect> = (effect: Handled) => void;
/** Effects that work without an agent; all others are ignored. */
type Handlers = {readonly [Kind in EffectKind]?: Handler<EffectOf<Kind>>};

/** Plays a recording on the screen, or lists its messages; resolves to the exit code. */
export async function runReplay(
  {file, run, speed, step, list}: ReplayOptions,
  loadScreen: InteractiveEnvironment['loadScreen'],
): Promise<number> {
  const loaded = loadRecording(file);
  if (!loaded.ok) {
    process.stderr.write(`acp-tui: ${failureSentence(loaded.failure)}\n`);
    return 2;
  }
  const {lines} = loaded.value;
  const runs = replayedRuns(lines, run);
  if (!runs) {
    process.stderr.write(`acp-tui: ${file} has no agent process ${run}.\n`);
    return 2;
  }
  const store = openWindow(runs.lines);
  const exitSignals = watchExitSignals({killNow: () => {}, log: () => {}});
  const begin = Date.now();
  const player = createPlayer({
    lines: runs.lines,
    speed,
    isPaused: step || list,
    show(line) {
      const {session} = activeSession(store.latest());
      const found = runs.eventsOf(line, session);
      for (const event of found) happens(store, {...event, at: begin + line.t});
      return found.length > 0;
    },
    changed: (replay) => store.dispatch({type: 'changed', change: {replay}}),
  });
  const wire = createWireViewer({store, lines: () => lines});
  const handlers: Handlers = {
    quit: () => exitSignals.leave(0),
    replay: ({step}) => player.do(step),
    copy: (effect) => void copyToClipboard(effect, {store}),
    show_wire: () => void wire.show(),
    show_exchange: ({index}) => wire.showExchange(index),
  };
  const perform = (effect: Effect) => (handlers[effect.kind] as Handler<Effect> | undefined)?.(effect);
  const {start} = await loadScreen();
  const edit = () => Promise.resolve({kind: 'kept', why: ''} as const);
  const screen = start({store, handleKey, perform, editor: {edit, end() {}}});
  player.start();
  if (list) {
    const connection = {kind: 'closed'} as const;
    happens(store, {type: 'connection_changed', connection, at: begin});
    await wire.show();
    store.subscribe(() => store.getSnapshot().overlay.kind === 'none' && exitSignals.leave(0));
  }
  const exitCode = await exitSignals.wanted;
  player.stop();
  await screen.unmount();
  return exitCode;
}

function happens(store: ReturnType<typeof openWindow>, event: SessionEvent): void {
  store.dispatch({type: 'session', key: REPLAY_SESSION, event, at: performance.now()});
}

function openWindow(lines: readonly RecordingLine[]) {
  const first = lines.find(isStart);
  const session = initialSession({cwd: first?.cwd ?? '', additionalDirectories: [], at: Date.now()});
  const {settings} = readSettings(findPaths().config);
  const label = first?.agent.label ?? 'recorded agent';
  return createStore(
    reduceApp,
    initialApp({
      session: {key: REPLAY_SESSION, agentLabel: label, session, approval: 'none'},
      ...preferencesOf(effectiveSettings(settings)),
      // Nothing is edited.
      editing: 'readline',
    }),
  );
}
