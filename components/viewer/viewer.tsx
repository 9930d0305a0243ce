import {Box, useWindowSize, render} from 'ink';
import {useState} from 'react';
import type {AppEvent} from '../../src/app/events.ts';
import type {KeyEvent} from '../../src/app/input/keys.ts';
import {isFolded, openedViewer} from '../../src/app/pages/viewer.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import type {SessionState} from '../../src/session/state.ts';
import {subagentName} from '../../src/session/subagents/names.ts';
import {shownSubagent, subagentEntry} from '../../src/session/subagents/tree.ts';
import type {Store} from '../../src/shared/store.ts';
import {useDraw, useDrawn, useStore, useKeys} from '../hooks.ts';
import {Lines} from '../rendered-lines.tsx';
import {ReviewScreen} from '../review/review-screen.tsx';
import type {TerminalCapabilities} from '../terminal/capabilities.ts';
import {createGatedOutput, type TerminalOutput} from '../terminal/output.ts';
import {createTranscriptLines} from './transcript-lines.ts';
import {rowsWith, drawViewer} from './viewer-lines.ts';

interface TranscriptViewerProps {
  readonly store: Store<AppState, AppEvent>;
  readonly capabilities: TerminalCapabilities;
  readonly press: (key: KeyEvent) => void;
}

/** What has a screen of its own. */
function FullScreenContent(props: TranscriptViewerProps) {
  const overlay = useStore(props.store, (state) => state.overlay);
  return overlay.kind === 'review' ? (
    <ReviewScreen {...props} view={overlay} />
  ) : (
    <TranscriptViewer {...props} />
  );
}

/** The whole transcript, opened, on a screen of its own. */
function TranscriptViewer({store, capabilities, press}: TranscriptViewerProps) {
  const state = useStore(store, (state) => state);
  const {columns, rows} = useWindowSize();
  const {keymap, overlay} = state;
  const active = activeSession(state).session;
  const session = shownSession(overlay, active);
  const draw = useDraw({session, look: state, keymap, columns, capabilities, extent: 'whole'});
  const [drawTranscript] = useState(createTranscriptLines);
  const viewer = overlay.kind === 'transcript' ? overlay : openedViewer;
  const news = active.pending.length > 0 ? 'A request needs your answer' : undefined;
  const transcript = drawTranscript(session, draw, (id) => isFolded(viewer, id));
  const {search} = viewer;
  const hits = rowsWith(transcript.lines, search);
  const view = {...transcript, viewer, hits, rows, news, ...subagentView(overlay, session)};
  const {lines, drawn, foldable} = drawViewer(view, draw);
  useKeys(press);
  // Told again when what stands there, or what was found, is another.
  useDrawn(JSON.stringify([foldable?.id, search, hits]), drawn, (drawn) => {
    store.dispatch({type: 'overlay_drawn', drawn}, 'urgent');
    store.dispatch({type: 'viewer_changed', change: {foldable}}, 'urgent');
    if (search !== '') store.dispatch({type: 'viewer_searched', search, hits}, 'urgent');
  });
  return (
    <Box flexDirection="column">
      <Lines lines={lines} />
    </Box>
  );
}

/** The stored session being read, and its opened subagent, if any. */
function shownSession(overlay: AppState['overlay'], active: SessionState): SessionState {
  if (overlay.kind !== 'transcript') return active;
  const {read = active, subagent} = overlay;
  return (subagent === undefined ? undefined : shownSubagent(read, subagent)) ?? read;
}

/** Whose transcript it is, and whether others can be gone into from there. */
function subagentView(overlay: AppState['overlay'], session: SessionState) {
  const id = overlay.kind === 'transcript' ? overlay.subagent : undefined;
  const hasSubagents = Object.values(session.subagents).some(({parent}) => parent === id);
  if (id === undefined) return {hasSubagents};
  const canCancel = subagentEntry(session, id)?.canCancel === true;
  return {hasSubagents, subagent: {name: subagentName(session, id), canCancel}};
}

interface FullScreenOptions extends TranscriptViewerProps {
  readonly terminal: TerminalOutput;
  readonly input: NodeJS.ReadStream;
}

export interface FullScreen {
  /** To be called when the terminal has another size. */
  readonly resized: () => void;
  /** Leaves the alternate screen; resolves when the terminal is as it was. */
  readonly close: () => Promise<void>;
}

/** Draws the pager on the terminal's alternate screen. Nobody else may draw or read keys meanwhile. */
export function openFullScreen({terminal, input, ...props}: FullScreenOptions): FullScreen {
  const output = createGatedOutput({terminal, charset: props.capabilities.charset});
  // Ink asks for keys after it has drawn, and gives them back before the chat asks: until then the terminal would echo them.
  const holdKeyboard = () => input.setRawMode(true);
  holdKeyboard();
  const ink = render(<FullScreenContent {...props} />, {
    stdin: input,
    stdout: output.stream,
    alternateScreen: true,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    incrementalRendering: true,
  });
  return {
    resized: output.settle,
    async close() {
      ink.unmount();
      holdKeyboard();
      await ink.waitUntilExit();
    },
  };
}
