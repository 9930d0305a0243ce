import {hintText} from '../../src/app/keymap/hints.ts';
import {useLayoutEffect} from 'react';
import {rowTexts} from '../../src/app/editor/layout.ts';
import type {QueueView} from '../../src/app/queue/queue-view.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import {agentName, type StatusLine} from '../../src/app/status/status-line.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {rowsOfPlaced} from '../chunks/chunk-rows.ts';
import type {PlacedChunk} from '../chunks/chunks.ts';
import type {ScreenParts} from '../layout.ts';
import type {Panel} from '../panels/panel.ts';
import type {Theme} from '../theme/theme.tsx';
import {rowsOfOpenPlan} from '../transcript/plan.tsx';
import {useWindow, type WindowProps} from '../use-window.ts';
import {type SpokenLine, spokenOf, spokenText} from '../layout/spoken.ts';
import {spokenReview} from './spoken-review.ts';

/** The window as it is spoken: everything is printed once, below what was printed before. `report` gets all frames: Ink draws none. */
export function LinearWindow({
  report,
  ...props
}: WindowProps & {readonly report: (frame: LinearFrame) => void}): null {
  const rowsOf = (placed: PlacedChunk, theme: Theme) => {
    const rows = rowsOfPlaced(placed, theme);
    if (!isBeginning(placed)) return rows;
    const above = Number(placed.gap);
    const speaker = `${agentName(activeSession(props.store.getSnapshot()))}:`;
    return [...rows.slice(0, above), speaker, ...rows.slice(above)];
  };
  const {state, parts, theme} = useWindow(props, rowsOf);
  useLayoutEffect(() => report(linearFrame(state, parts, theme)));
  return null;
}

/** True for the first part of a message of the agent. */
function isBeginning({chunk: {kind, id}}: PlacedChunk): boolean {
  return (kind === 'block' || kind === 'attachment') && id.endsWith('/0');
}

/** No wrapping: the terminal wraps lines itself. */
const COLUMNS = 100_000;

export interface LinearFrame {
  /** Lines that are printed again when they change: a list, a page, a request, a plan, hints. */
  readonly lines: readonly SpokenLine[];
  /** The current activity, without its duration. */
  readonly working: string | undefined;
  /** The draft; empty while keys go elsewhere. */
  readonly draft: string;
}

/** Returns a frame for a terminal that cannot redraw, as lines. */
function linearFrame(
  state: AppState,
  {shares, plan, panel, queue, hint, activity, prompt, status}: ScreenParts,
  theme: Theme,
): LinearFrame {
  const review = state.overlay.kind === 'review' ? state.overlay : undefined;
  const spoken = review ? spokenReview(review, theme) : panel.spoken();
  return {
    lines: [
      ...(plan ? rowsOfOpenPlan(plan, shares.plan, theme) : []),
      ...spoken.filter((line) => spokenText(line).trim() !== ''),
      ...repeatedQuestion(panel, spoken),
      ...spokenQueue(queue, theme),
      ...spokenStatus(status),
      ...hint,
      [prompt.placeholder, hintText(prompt.hints)].filter(Boolean).join(' '),
    ],
    working: activity?.doing,
    draft: review?.typing?.draft.text ?? (prompt.isFocused ? rowTexts(prompt.draft, COLUMNS).join('\n') : ''),
  };
}

function spokenQueue(
  {title, prompts, more, stash, attached}: QueueView,
  {symbols}: Pick<Theme, 'symbols'>,
): readonly string[] {
  const said = prompts.map(({text, isSelected}) => (isSelected ? `${symbols.selected} ${text}` : text));
  return [title, ...said, more, stash, ...attached].filter((line) => line !== undefined);
}

/** What the status line shows whatever its width, and which session this is: each in a line of its own, which is said again when it changes. */
function spokenStatus({place, unattended, waiting, approval, isSandboxed}: StatusLine): readonly string[] {
  const said = [
    place && `Session ${place.replace('/', ' of ')}`,
    isSandboxed && 'In a sandbox',
    unattended && `The agent asks less, or not at all: ${sanitizeLine(unattended)}`,
    approval && `auto-approve ${approval}`,
    waiting,
  ];
  return said.filter((line) => typeof line === 'string');
}

/** The title of a request and the first line of what is asked, without the notes above it, after its answers: it was read out before. */
function repeatedQuestion({scrolled}: Panel, spoken: readonly SpokenLine[]): readonly SpokenLine[] {
  if (scrolled?.subject.kind !== 'request') return [];
  const {id, version} = scrolled.subject;
  const [title = '', first = '', ...others] = spoken.map(spokenText);
  const subject = [first, ...others].find((line) => line.startsWith('| ')) ?? first;
  const question = `Question: ${title}${subject === '' ? '' : `: ${subject.replace(/^\| /, '')}`}`;
  return spokenOf(JSON.stringify([id, version]), [question]);
}
