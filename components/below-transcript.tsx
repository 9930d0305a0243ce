import {Box, Text, type DOMElement, useCursor} from 'ink';
import type {ScreenSize} from '../src/app/editor/layout.ts';
import type {Draw} from './draw/draw.ts';
import type {ScreenParts} from './layout.ts';
import {useTicks} from './hooks.ts';
import {Prompt} from './prompt/prompt.tsx';
import {Lines} from './rendered-lines.tsx';
import {caretIn, type CaretPlace} from './prompt/use-caret.ts';
import {truncate} from '../src/text/truncate.ts';

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
  const {gap} = parts.shares;
  const {caret} = parts.panel;
  return (
    <>
      <Lines lines={parts.plan} />
      <Box ref={setPanelBox} flexDirection="column" flexShrink={0} paddingTop={gap}>
        <Lines lines={parts.panel.lines} />
      </Box>
      {parts.working !== undefined && <Working text={parts.working} draw={draw} isAnimated={isAnimated} />}
      <Lines lines={parts.queue} />
      <Lines lines={parts.hint} />
      <Prompt {...parts.prompt} screen={screen} look={draw} />
      {caret && <PanelCaret box={panelBox} caret={{...caret, row: gap + caret.row}} />}
      {parts.shares.status > 0 && <Text wrap="truncate-end">{parts.status}</Text>}
    </>
  );
}

/** Puts the terminal's cursor into the panel. Must be placed after the prompt: the last component in the tree that sets the cursor wins. */
function PanelCaret({box, caret}: {readonly box: DOMElement | null; readonly caret: CaretPlace}): null {
  const {setCursorPosition} = useCursor();
  setCursorPosition(box === null ? undefined : caretIn(box, caret));
  return null;
}

interface WorkingProps {
  /** The current activity. */
  readonly text: string;
  readonly draw: Draw;
  readonly isAnimated: boolean;
}

const SPIN = {step: 125, interval: 125};

/** The progress line, the only line that is animated. */
function Working({text, draw, isAnimated}: WorkingProps) {
  const turn = useTicks(isAnimated, SPIN);
  const {paint, symbols, columns} = draw;
  const sign = isAnimated ? symbols.spinner[turn % symbols.spinner.length] : symbols.running;
  return (
    <Text wrap="truncate-end">
      {paint.accent(sign ?? '')} {paint.dim(truncate(text, columns - 2))}
    </Text>
  );
}
