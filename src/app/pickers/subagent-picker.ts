import {subagentFacts, currentActivity, subagentName} from '../../session/subagents/names.ts';
import {subagentTree} from '../../session/subagents/tree.ts';
import {emitEvent, type Reaction} from '../effects.ts';
import {openedViewer} from '../pages/viewer.ts';
import {activeSession} from '../sessions.ts';
import type {AppEventOf} from '../events.ts';
import type {AppState} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {openPicker, pickerOf} from './picker.ts';

/** Lists the subagents of the session as a tree, each with its activity; a toast if there are none. */
export function showSubagents(state: AppState, at: number): Reaction {
  const {session} = activeSession(state);
  const items = subagentTree(session).map(({entry, session: own, depth}) => {
    const description = [...subagentFacts(entry, own), currentActivity(own)].filter(Boolean).join(' · ');
    return {
      id: entry.sessionId,
      label: `${'  '.repeat(depth)}${subagentName(session, entry.sessionId)}`,
      description: description || undefined,
      choose: () => emitEvent(transcriptOf(entry.sessionId)),
    };
  });
  if (items.length === 0) return toast('This session has no subagents.', at);
  return openPicker(pickerOf({purpose: {kind: 'ordered_list'}, title: 'Subagents', items}));
}

/** Shows the transcript of a subagent, or of the session itself. */
export function transcriptOf(subagent: string | undefined): AppEventOf<'overlay_opened'> {
  return {
    type: 'overlay_opened',
    overlay: {kind: 'transcript', ...(subagent !== undefined && {subagent})},
    viewer: openedViewer,
  };
}
