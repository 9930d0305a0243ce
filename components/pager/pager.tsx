import {Box, useWindowSize} from 'ink';
import {useState} from 'react';
import type {AppEvent} from '../../src/app/events.ts';
import type {KeyEvent} from '../../src/app/input/key-event.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import {isFolded, openedViewer} from '../../src/app/viewer.ts';
import type {Store} from '../../src/shared/store.ts';
import {Lines} from '../lines.tsx';
import type {Abilities} from '../terminal/abilities.ts';
import {useDraw} from '../use-draw.ts';
import {useDrawn} from '../use-drawn.ts';
import {useStore} from '../use-store.ts';
import {useKeys} from '../use-window.ts';
import {rowsWith} from './find-lines.ts';
import {drawPager} from './pager-lines.ts';
import {createTranscriptLines} from './transcript-lines.ts';

export interface PagerProps {
  readonly store: Store<AppState, AppEvent>;
  readonly abilities: Abilities;
  readonly press: (key: KeyEvent) => void;
}

/** The whole transcript, opened, on a screen of its own. */
export function Pager({store, abilities, press}: PagerProps) {
  const state = useStore(store, (state) => state);
  const {columns, rows} = useWindowSize();
  const {theme, keymap, overlay} = state;
  const active = activeSession(state).session;
  const session = (overlay.kind === 'transcript' && overlay.read) || active;
  const draw = useDraw({session, theme, keymap, columns, abilities, extent: 'whole'});
  const [drawTranscript] = useState(createTranscriptLines);
  const viewer = overlay.kind === 'transcript' ? overlay : openedViewer;
  const news = active.pending.length > 0 ? 'A request waits for you' : undefined;
  const transcript = drawTranscript(session, draw, (id) => isFolded(viewer, id));
  const {search} = viewer;
  const hits = rowsWith(transcript.lines, search);
  const {lines, drawn, foldable} = drawPager({...transcript, viewer, hits, rows, news}, draw);
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
