import {fold, nothing, perform, together, type Step} from '../effects.ts';
import type {Action} from '../keymap/keymap.ts';
import {pickerOf, selectedItem} from '../pickers/picker.ts';
import {NEXT_SCOPE, sessionPicker} from '../pickers/session-picker.ts';
import type {Picker, PickerPurpose, SessionKey, SessionScope} from '../state.ts';

/** Opens the list, which fills as sessions are found. */
export function showSessions(scope: SessionScope, at: number, filter = ''): Step {
  const picker = {...sessionPicker({scope, isGrowing: true, rows: [], at}), filter};
  return together(
    fold({type: 'overlay_opened', overlay: {kind: 'picker', picker}}),
    perform({kind: 'find_sessions', scope}),
  );
}

/** Handles the keys that only session lists have; undefined for any other key. */
export function sessionListKey(action: Action | undefined, picker: Picker, at: number): Step | undefined {
  const {purpose, filter} = picker;
  if (purpose.kind !== 'sessions') return undefined;
  if (action === 'switch_scope') return showSessions(NEXT_SCOPE[purpose.scope], at, filter);
  if (action === 'ask_agents') return perform({kind: 'ask_agents'});
  const row = selectedItem(picker)?.id;
  switch (action) {
    case 'fork_session':
      return row === undefined ? nothing : resume(row, {at, fork: true});
    case 'delete_session':
      return row === undefined ? nothing : perform({kind: 'delete_session', row, sure: false});
    case 'archive_session':
      if (row === undefined) return nothing;
      return purpose.scope === 'archived'
        ? perform({kind: 'unarchive_session', row})
        : perform({kind: 'archive_session', row});
    default:
      return undefined;
  }
}

function resume(row: string, {at, fork}: {readonly at: number; readonly fork: boolean}): Step {
  return together(fold({type: 'overlay_closed', at}), perform({kind: 'resume_session', row, fork}));
}

type OfSessions = Extract<PickerPurpose, {kind: 'sessions' | 'interrupted' | 'delete_session'}>;

/** Performs the selected item of a session list, which is already closed. */
export function takeSession(purpose: OfSessions, id: string): Step {
  if (purpose.kind === 'sessions') return perform({kind: 'resume_session', row: id, fork: false});
  const {row} = purpose;
  if (purpose.kind === 'delete_session') {
    if (id !== 'delete') return nothing;
    const {open} = purpose;
    return open === undefined
      ? perform({kind: 'delete_session', row, sure: true})
      : perform({kind: 'remove_open', session: open, how: 'delete', sure: true});
  }
  if (id === 'resume') return perform({kind: 'resume_session', row, fork: false});
  return id === 'close' ? perform({kind: 'mark_session_closed', row}) : nothing;
}

/** Asks before a session is deleted permanently. Enter alone keeps it. */
export function deletePicker(row: string, title: string, open?: SessionKey): Picker {
  return pickerOf({
    purpose: {kind: 'delete_session', row, open},
    title: `Delete "${title}"`,
    note: 'The agent deletes it too. This cannot be undone.',
    items: [
      {id: 'keep', label: 'Keep'},
      {id: 'delete', label: 'Delete permanently'},
    ],
  });
}
