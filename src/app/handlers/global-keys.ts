import {currentMode, modeChoices} from '../../session/selectors.ts';
import {openList} from '../pickers/picker.ts';
import {chooseSetting} from '../pickers/setting-pickers.ts';
import {emitEvent, nothing, patchState, perform, type Reaction} from '../effects.ts';
import {toast} from '../status/toasts.ts';
import type {Action} from '../keymap/keymap.ts';
import {whyNotReady} from '../commands/command.ts';
import {planOverlay} from '../pages/pages.ts';
import {activeSession} from '../sessions.ts';
import {modeAfter, skippedText} from '../status/setting-change-notice.ts';
import type {AppState} from '../state.ts';
import {isScrollable, openedViewer, otherScreen, scrollTo, positionAfterScroll} from '../pages/viewer.ts';
import {goBack, interrupt} from './cancel.ts';

/** Actions for the session on the screen, which the board covers. */
const FOR_SESSION: ReadonlySet<Action | undefined> = new Set([
  'open_palette',
  'give_keyboard',
  'stop_command',
  'show_subagents',
  'show_tasks',
  'detach',
  'open_content',
  'copy_answer',
  'edit_externally',
  'show_review',
  'next_mode',
  'show_plan',
  'open_transcript',
  'resend',
  'choose_model',
  'choose_speed',
  'lower_effort',
  'raise_effort',
]);

/** Returns what a key for the session that the board covers does; undefined for any other key. What it would open acts on the one behind the board. */
export function keyForCovered(
  {board}: AppState,
  action: Action | undefined,
  at: number,
): Reaction | undefined {
  return board && FOR_SESSION.has(action) ? toast('Open the session first.', at) : undefined;
}

/** Keys that do the same in every context; undefined for any other action. */
export function globalKey(state: AppState, action: Action | undefined, at: number): Reaction {
  const covered = keyForCovered(state, action, at);
  if (covered) return covered;
  switch (action) {
    case 'cancel_or_back':
      return goBack(state, at);
    case 'clear_cancel_or_leave':
      return interrupt(state, at);
    case 'next_mode':
      return nextMode(state, at);
    case 'show_plan':
      return togglePlan(state, at);
    case 'more_keys':
      return emitEvent({type: 'overlay_opened', overlay: {kind: 'more_keys'}});
    case 'open_transcript':
      return toggleTranscript(state, at);
    case 'inspect_wire':
      return toggleWire(state, at);
    case 'more_hints':
      return patchState({hints: state.hints + 1});
    case 'redraw':
      return perform({kind: 'redraw'});
    case 'suspend':
      return perform({kind: 'suspend'});
    case 'toggle_full_screen':
      return emitEvent(otherScreen(state));
    case 'toggle_side_panel':
      return emitEvent(
        {type: 'overlay_closed', at},
        {type: 'preferences_changed', change: {sidePanel: !state.sidePanel}},
      );
    default:
      return scroll(state, action);
  }
}

/** Scrolls the transcript on the full screen, whatever has the focus. */
function scroll(state: AppState, action: Action | undefined): Reaction {
  const scrolling = action?.replace(/^transcript_/, 'scroll_') as Action | undefined;
  const position = isScrollable(state) ? positionAfterScroll(state.viewer, scrolling) : undefined;
  return position ? emitEvent({type: 'viewer_changed', change: scrollTo(position)}) : nothing;
}

function nextMode(state: AppState, at: number): Reaction {
  if (state.overlay.kind !== 'none') return nothing;
  const tab = activeSession(state);
  const problem = whyNotReady(tab);
  if (problem) return toast(problem, at);
  const modes = modeChoices(tab.session);
  if (modes.length === 0) return toast('This agent has no modes.', at);
  const {next, skipped} = modeAfter(modes, currentMode(tab.session)?.id);
  if (!next) return toast(skippedText(skipped), at);
  const {events, effects} = chooseSetting(tab, {kind: 'mode', id: next.id});
  const said = skipped.length === 0 ? nothing : toast(skippedText(skipped), at);
  return {events: [...events, ...said.events], effects};
}

function toggleTranscript({overlay, screen}: AppState, at: number): Reaction {
  if (overlay.kind === 'transcript') return emitEvent({type: 'overlay_closed', at});
  const viewer = screen === 'full' ? {} : {viewer: openedViewer};
  return emitEvent({type: 'overlay_opened', overlay: {kind: 'transcript'}, ...viewer});
}

function toggleWire(state: AppState, at: number): Reaction {
  const {overlay} = state;
  const closed = {type: 'overlay_closed', at} as const;
  if (overlay.kind === 'text' && overlay.over?.purpose.kind === 'wire') return emitEvent(closed, closed);
  if (openList(state, 'wire')) return emitEvent(closed);
  return perform({kind: 'show_wire'});
}

function togglePlan(state: AppState, at: number): Reaction {
  const {overlay} = state;
  if (overlay.kind === 'text' && overlay.follows === 'plan') return emitEvent({type: 'overlay_closed', at});
  if (overlay.kind !== 'none') return nothing;
  return emitEvent({type: 'overlay_opened', overlay: planOverlay(activeSession(state).session)});
}
