import type {Draft} from '../src/app/prompt/draft.ts';
import {promptHeight, type ScreenSize} from '../src/app/prompt/viewport.ts';
import type {AppState, OpenSession} from '../src/app/state.ts';
import {activePlan} from '../src/session/selectors.ts';
import type {Draw} from './draw/draw.ts';
import {hanging} from './draw/lines.ts';
import {shareRows, type Shares} from './layout.ts';
import {drawPanel, type Panel} from './panel.ts';
import {drawPlanPanel} from './plan/plan-lines.ts';
import {queueLines} from './prompt/queue.tsx';
import {drawStatus} from './status-line/status-lines.ts';
import {workOf, type Work} from './status-line/work.ts';

/** Everything below the transcript, in the rows that there are for it. */
export interface ScreenParts {
  readonly shares: Shares;
  readonly plan: readonly string[];
  readonly panel: Panel;
  readonly queue: readonly string[];
  readonly hint: readonly string[];
  readonly working: Work | undefined;
  /** The draft in hand: the prompt's, or the note's while one is typed. */
  readonly draft: Draft;
  readonly placeholder: string;
  readonly isPromptFocused: boolean;
  readonly status: string;
}

export function drawScreen(state: AppState, screen: ScreenSize, draw: Draw): ScreenParts {
  const open = state.sessions[state.active];
  if (open === undefined) throw new Error(`There is no session ${state.active}.`);
  const draft = state.focus.kind === 'note' && open.note !== undefined ? open.note.draft : open.draft;
  const whole = drawPanel(state, screen.rows, draw);
  const plan = activePlan(open.session)?.content;
  const queue = queueLines({queue: open.queue, isHeld: open.queueHeld, look: draw});
  const hint = state.hint === undefined ? [] : hanging(draw.signs.notice, state.hint.text, draw);
  const working = workOf(open.session);
  const shares = shareRows({
    screen: screen.rows,
    prompt: promptHeight(draft, screen),
    queue: queue.length,
    plan: plan === undefined ? 0 : drawPlanPanel(plan, Infinity, draw).length,
    panel: whole.lines.length,
    hint: hint.length,
    working: working === undefined ? 0 : 1,
  });
  const panel = shares.panel === whole.lines.length ? whole : drawPanel(state, shares.panel, draw);
  return {
    shares,
    plan: plan === undefined ? [] : drawPlanPanel(plan, shares.plan, draw),
    panel,
    queue: queue.slice(0, shares.queue),
    hint: hint.slice(0, shares.hint),
    working,
    draft,
    placeholder: placeholderOf(state, open),
    isPromptFocused: state.overlay.kind === 'none' && state.focus.kind !== 'request',
    status: drawStatus(open, draw),
  };
}

function placeholderOf(state: AppState, {session}: OpenSession): string {
  if (state.focus.kind === 'note') return 'Why not? Enter refuses and sends this as the next prompt';
  switch (session.connection.kind) {
    case 'starting':
      return 'The agent is starting; what you send waits for it';
    case 'failed':
    case 'lost':
    case 'closed':
      return 'The agent does not run; what you send waits for it';
    default:
      return 'Ask for something, / for commands, ? for keys';
  }
}
