import {keyFor} from '../src/app/key-names.ts';
import {isShell} from '../src/app/keys/shell-keys.ts';
import {hintLine} from '../src/app/hints.ts';
import {argumentHint, menuOf} from '../src/app/menu.ts';
import {promptHeight, type ScreenSize} from '../src/app/prompt/viewport.ts';
import {activeSession, draftInHand} from '../src/app/sessions.ts';
import type {AppState} from '../src/app/state.ts';
import {statusLine} from '../src/app/status.ts';
import {stall, workingText} from '../src/app/working.ts';
import {activePlan} from '../src/session/selectors.ts';
import type {ConnectionState} from '../src/session/state.ts';
import {sanitize} from '../src/text/sanitize.ts';
import type {Draw} from './draw/draw.ts';
import {hanging} from './draw/lines.ts';
import {shareRows, type Shares} from './layout.ts';
import {drawPanel, type Panel} from './panel.ts';
import {drawPlanPanel} from './plan/plan-lines.ts';
import {outputLines} from './prompt/output-lines.ts';
import type {PromptProps} from './prompt/prompt.tsx';
import {queueLines} from './prompt/queue-lines.ts';
import {drawStatus} from './status-line/status-lines.ts';

/** Everything below the transcript, in the rows that there are for it. */
export interface ScreenParts {
  readonly shares: Shares;
  readonly plan: readonly string[];
  readonly panel: Panel;
  readonly queue: readonly string[];
  readonly hint: readonly string[];
  readonly working: string | undefined;
  /** The prompt, or the note while one is typed. */
  readonly prompt: Omit<PromptProps, 'screen' | 'look'>;
  readonly status: string;
}

export interface Surroundings {
  readonly screen: ScreenSize;
  /** On the window's clock. */
  readonly now: number;
  readonly draw: Draw;
}

export function drawScreen(state: AppState, {screen, now, draw}: Surroundings): ScreenParts {
  const open = activeSession(state);
  const draft = draftInHand(state);
  const natural = drawPanel(state, screen.rows, draw);
  const plan = activePlan(open.session)?.content;
  const queue = [
    ...queueLines({
      queue: open.queue,
      isHeld: open.queueHeld,
      selected: state.focus.kind === 'queue' ? state.focus.id : undefined,
      look: draw,
    }),
    ...outputLines(open.outputs, keyFor('delete_backward', state.keymap), draw),
  ];
  const hint = drawHint(state, now, draw);
  const working = workingText(open, now);
  const shares = shareRows({
    screen: screen.rows,
    prompt: promptHeight(draft, screen),
    queue: queue.length,
    plan: plan === undefined ? 0 : drawPlanPanel(plan, Infinity, draw).length,
    panel: natural.lines.length,
    hint: hint.length,
    working: working === undefined ? 0 : 1,
  });
  return {
    shares,
    plan: plan === undefined ? [] : drawPlanPanel(plan, shares.plan, draw),
    panel: shares.panel === natural.lines.length ? natural : drawPanel(state, shares.panel, draw),
    queue: queue.slice(0, shares.queue),
    hint: hint.slice(0, shares.hint),
    working: shares.working > 0 ? working : undefined,
    prompt: {
      draft,
      expected: argumentHint(state),
      isShell: isShell(state),
      placeholder: placeholderOf(state, open.session.connection),
      isFocused:
        state.overlay.kind === 'none' && (state.focus.kind === 'prompt' || state.focus.kind === 'note'),
    },
    status: drawStatus(statusLine(state, now), draw),
  };
}

function drawHint(state: AppState, now: number, draw: Draw): string[] {
  const {paint, signs} = draw;
  const stalled = stall(activeSession(state), now);
  const warning = stalled
    ? hanging(signs.warning, stalled.text, draw).map((line) => paint.warning(line))
    : [];
  const hint = hintLine(state, {isMenuOpen: menuOf(state) !== undefined});
  return hint === undefined ? warning : [...warning, ...hanging(signs.notice, sanitize(hint), draw)];
}

function placeholderOf(state: AppState, connection: ConnectionState): string {
  if (state.replay) return 'A replay: nothing can be typed';
  if (state.focus.kind === 'note') return 'Why not?';
  if (state.focus.kind === 'queue') return 'The queue has the keyboard';
  if (state.focus.kind === 'command') return 'A command has the keyboard';
  switch (connection.kind) {
    case 'ready':
      return 'Ask for something, / for commands, ! for your shell, ? for keys';
    case 'starting':
    case 'authentication_required':
    case 'no_session':
      return 'What you send waits until the session is open';
    case 'failed':
    case 'lost':
    case 'closed':
      return 'What you send waits until an agent runs';
  }
}
