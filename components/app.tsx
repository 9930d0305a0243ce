import {Box, measureElement, type DOMElement} from 'ink';
import {useCallback, useRef, useState} from 'react';
import {BelowTranscript} from './below-transcript.tsx';
import {LivePart} from './inline/live-part.tsx';
import {createPrintedRows} from './inline/printed-rows.ts';
import {ThemeContext} from './theme/theme.tsx';
import {useWindow, type WindowProps} from './use-window.ts';

/** The inline window: finished chunks go into the scrollback, a small live part is redrawn. */
export function App(props: WindowProps) {
  const coverBox = useRef<DOMElement>(null);
  const panelRows = useCallback(() => (coverBox.current ? measureElement(coverBox.current).height : 0), []);
  const [rowsOf] = useState(createPrintedRows);
  const window = useWindow(props, {rowsOf, isLinear: false, panelRows});
  const {screen, parts, theme, live} = window;
  return (
    <ThemeContext value={theme}>
      <Box flexDirection="column">
        <LivePart live={live} rows={parts.shares.live} />
        <BelowTranscript
          parts={parts}
          screen={screen}
          capabilities={props.capabilities}
          coverBox={coverBox}
        />
      </Box>
    </ThemeContext>
  );
}
