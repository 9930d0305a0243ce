import {Box, useWindowSize} from 'ink';
import {useState} from 'react';
import type {AppEvent} from '../../src/app/events.ts';
import type {KeyEvent} from '../../src/app/input/key-event.ts';
import {unscrolled} from '../../src/app/scroll.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import type {Store} from '../../src/store.ts';
import {Lines} from '../lines.tsx';
import type {Abilities} from '../terminal/abilities.ts';
import {useDraw} from '../use-draw.ts';
import {useDrawn} from '../use-drawn.ts';
import {useStore} from '../use-store.ts';
import {useKeys} from '../use-window.ts';
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
  const {session} = activeSession(state);
  const {theme, keymap, overlay} = state;
  const draw = useDraw({session, theme, keymap, columns, abilities, extent: 'whole'});
  const [transcriptLines] = useState(createTranscriptLines);
  const scroll = overlay.kind === 'transcript' ? overlay.scroll : unscrolled;
  const news = session.pending.length > 0 ? 'A request waits for you' : undefined;
  const {lines, drawn} = drawPager({lines: transcriptLines(session, draw), scroll, rows, news}, draw);
  useKeys(press);
  useDrawn('transcript', drawn, (drawn) => store.dispatch({type: 'overlay_drawn', drawn}, 'urgent'));
  return (
    <Box flexDirection="column">
      <Lines lines={lines} />
    </Box>
  );
}
