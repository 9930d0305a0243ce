import {Box, type DOMElement} from 'ink';
import {useState, type RefObject} from 'react';
import type {ScreenSize} from '../src/app/editor/layout.ts';
import {Rows} from './layout/rows.tsx';
import type {ScreenParts} from './layout.ts';
import {Activity} from './prompt/activity.tsx';
import {Prompt, promptStyle} from './prompt/prompt.tsx';
import {Queue} from './prompt/queue.tsx';
import {StatusLine} from './prompt/status-line.tsx';
import {Caret, caretIn} from './prompt/use-caret.ts';
import type {TerminalCapabilities} from './terminal/capabilities.ts';
import {useTheme} from './theme/theme.tsx';
import {OpenPlan} from './transcript/plan.tsx';
import {Foot, type FooterState} from './viewer/foot.tsx';

interface BelowTranscriptProps {
  readonly parts: ScreenParts;
  readonly screen: ScreenSize;
  readonly capabilities: Pick<TerminalCapabilities, 'animations'>;
  /** The box of what covers the transcript until it closes: a list or a page, but not a request. */
  readonly coverBox?: RefObject<DOMElement | null>;
  /** In place of the status line. */
  readonly foot?: FooterState | undefined;
}

/** Everything below the transcript, the same on both screens. */
export function BelowTranscript(props: BelowTranscriptProps) {
  const {parts, screen, capabilities, coverBox, foot} = props;
  /** The box of a list, a page or a request. */
  const [panelBox, setPanelBox] = useState<DOMElement | null>(null);
  const {shares, opening, plan, panel, activity, queue, hint, prompt} = parts;
  const {gap, air} = shares;
  const {caret, scrolled} = panel;
  const isRequest = scrolled?.subject.kind === 'request';
  const frame = promptStyle(prompt, useTheme());
  return (
    <>
      <Rows of={opening} />
      {plan && <OpenPlan content={plan} rows={shares.plan} />}
      <Box ref={isRequest ? null : coverBox} flexDirection="column" flexShrink={0} marginBottom={air}>
        <Box ref={setPanelBox} flexDirection="column" paddingTop={gap}>
          {panel.content}
        </Box>
      </Box>
      {activity && <Activity activity={activity} isAnimated={parts.isAnimated && capabilities.animations} />}
      <Queue queue={queue} rows={shares.queue} />
      <Rows of={hint} />
      {opening.length === 0 && <Prompt {...prompt} screen={screen} />}
      {caret && (
        <Caret position={panelBox ? caretIn(panelBox, {...caret, row: gap + caret.row}) : undefined} />
      )}
      {shares.status > 0 &&
        (foot ? <Foot foot={foot} isBelowPrompt /> : <StatusLine status={parts.status} frame={frame} />)}
    </>
  );
}
