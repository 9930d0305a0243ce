import {Box, Text} from 'ink';
import type {ScreenSize} from '../src/app/editor/layout.ts';
import type {Draw} from './draw/draw.ts';
import type {ScreenParts} from './layout.ts';
import {PanelCaret} from './panels/panel-caret.tsx';
import {Prompt} from './prompt/prompt.tsx';
import {Lines} from './rendered-lines.tsx';
import {Working} from './working.tsx';
import type {DOMElement} from 'ink';

interface BelowTranscriptProps {
  readonly parts: ScreenParts;
  readonly screen: ScreenSize;
  readonly draw: Draw;
  readonly isAnimated: boolean;
  /** The ref of the box of a list, a page or a request. */
  readonly panelBox: DOMElement | null;
  readonly setPanelBox: (box: DOMElement | null) => void;
}

/** Everything below the transcript, the same on both screens. */
export function BelowTranscript(props: BelowTranscriptProps) {
  const {parts, screen, draw, isAnimated, panelBox, setPanelBox} = props;
  return (
    <>
      <Lines lines={parts.plan} />
      <Box ref={setPanelBox} flexDirection="column" flexShrink={0}>
        <Lines lines={parts.panel.lines} />
      </Box>
      {parts.working !== undefined && <Working text={parts.working} draw={draw} isAnimated={isAnimated} />}
      <Lines lines={parts.queue} />
      <Lines lines={parts.hint} />
      <Prompt {...parts.prompt} screen={screen} look={draw} />
      {parts.panel.caret && <PanelCaret box={panelBox} caret={parts.panel.caret} />}
      {parts.shares.status > 0 && <Text wrap="truncate-end">{parts.status}</Text>}
    </>
  );
}
