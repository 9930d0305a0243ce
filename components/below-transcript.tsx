import {Box, Text, type DOMElement} from 'ink';
import type {RefObject} from 'react';
import type {ScreenSize} from '../src/app/editor/layout.ts';
import type {Draw} from './draw/draw.ts';
import type {ScreenParts} from './layout.ts';
import {useTicks} from './hooks.ts';
import type {TerminalCapabilities} from './terminal/capabilities.ts';
import {Prompt} from './prompt/prompt.tsx';
import {Lines} from './rendered-lines.tsx';
import {Caret, caretIn} from './prompt/use-caret.ts';
import {truncate} from '../src/text/truncate.ts';
import {width} from '../src/text/width.ts';

interface BelowTranscriptProps {
  readonly parts: ScreenParts;
  readonly screen: ScreenSize;
  readonly draw: Draw;
  readonly capabilities: Pick<TerminalCapabilities, 'animations'>;
  /** The ref of the box of a list, a page or a request. */
  readonly panelBox: DOMElement | null;
  readonly setPanelBox: (box: DOMElement | null) => void;
  /** The box of what covers the transcript until it closes: a list or a page, but not a request. */
  readonly coverBox?: RefObject<DOMElement | null>;
}

/** Everything below the transcript, the same on both screens. */
export function BelowTranscript(props: BelowTranscriptProps) {
  const {parts, screen, draw, capabilities, panelBox, setPanelBox, coverBox} = props;
  const {gap, air} = parts.shares;
  const isAnimated = parts.isAnimated && capabilities.animations;
  const {caret, scrolled} = parts.panel;
  const isRequest = scrolled?.subject.kind === 'request';
  return (
    <>
      <Lines lines={parts.plan} />
      <Box ref={isRequest ? null : coverBox} flexDirection="column" flexShrink={0} marginBottom={air}>
        <Box ref={setPanelBox} flexDirection="column" paddingTop={gap}>
          <Lines lines={parts.panel.lines} />
        </Box>
      </Box>
      {parts.working !== undefined && <Working text={parts.working} draw={draw} isAnimated={isAnimated} />}
      <Lines lines={parts.queue} />
      <Lines lines={parts.hint} />
      <Prompt {...parts.prompt} screen={screen} look={draw} />
      {caret && (
        <Caret position={panelBox ? caretIn(panelBox, {...caret, row: gap + caret.row}) : undefined} />
      )}
      {parts.shares.status > 0 && <Text wrap="truncate-end">{parts.status}</Text>}
    </>
  );
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
  // The time is never cut.
  const [, what = text, time = ''] = /^(.*…)( [^…]*)$/.exec(text) ?? [];
  const sign = isAnimated ? symbols.spinner[turn % symbols.spinner.length] : symbols.running;
  return (
    <Text wrap="truncate-end">
      {paint.accent(sign ?? '')} {paint.dim(truncate(what, columns - 2 - width(time)) + time)}
    </Text>
  );
}
