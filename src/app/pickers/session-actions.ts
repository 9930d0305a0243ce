import type {SessionState} from '../../session/state.ts';
import {combine, perform, type Reaction} from '../effects.ts';
import type {AppEventOf} from '../events.ts';
import {keyFor} from '../keymap/key-names.ts';
import type {Keymap} from '../keymap/keymap.ts';
import {openedViewer, START} from '../pages/viewer.ts';
import type {Picker, PickerItem, SessionsReturn} from '../state.ts';
import {pickerOf, type ListItem} from './picker.ts';

interface ActionsOn {
  readonly item: PickerItem;
  /** The list of sessions, in which the item is selected. */
  readonly list: Picker;
  /** What the user sees again after Esc, or once it is done. */
  readonly back: SessionsReturn;
  readonly showAgain: () => Reaction;
  readonly keymap: Keymap;
}

/** Returns what can be done with a session of the list, each with its key there. */
export function sessionActions({item, list, back, showAgain, keymap}: ActionsOn): Picker {
  const row = item.id;
  const place = list.said?.filter === list.filter ? list.said.places.get(row) : undefined;
  const isArchived = back.scope === 'archived';
  const items: readonly ListItem[] = [
    {
      id: 'resume',
      label: 'Resume',
      description: keyFor('confirm', keymap),
      choose: () => perform({kind: 'resume_session', row, fork: false}),
    },
    {
      id: 'read',
      label: 'Read',
      description: place === undefined ? 'its transcript' : 'its transcript, from the match',
      choose: () => perform({kind: 'read_session', row, entry: place?.entry, search: place?.match ?? ''}),
    },
    {
      id: 'fork',
      label: 'Fork',
      description: keyFor('fork_session', keymap),
      choose: () => perform({kind: 'resume_session', row, fork: true}),
    },
    {
      id: 'archive',
      label: isArchived ? 'Restore from the archive' : 'Archive',
      description: keyFor('archive_session', keymap),
      choose: () =>
        combine(showAgain(), perform({kind: isArchived ? 'unarchive_session' : 'archive_session', row})),
    },
    {
      id: 'delete',
      label: 'Delete',
      description: keyFor('delete_session', keymap),
      choose: () => combine(showAgain(), perform({kind: 'delete_session', row, sure: false})),
    },
    {
      id: 'undelete',
      label: 'Restore the session deleted last',
      group: 'Other sessions',
      choose: () => combine(showAgain(), perform({kind: 'restore_session'})),
    },
  ];
  return pickerOf({purpose: {kind: 'session_actions', list: back}, title: item.label, items});
}

/** Returns the read-only transcript of a stored session, at one of its entries. */
export function readingOverlay(
  session: SessionState,
  {entry, search}: {readonly entry: number | undefined; readonly search: string},
): AppEventOf<'overlay_opened'> {
  const id = entry === undefined ? undefined : session.entries.get(entry)?.id;
  return {
    type: 'overlay_opened',
    // A stored session no longer waits for answers.
    overlay: {kind: 'transcript', read: {...session, pending: []}},
    viewer: {
      ...openedViewer,
      search,
      position: id === undefined ? START : {from: 'entry', id, rows: 0},
    },
  };
}
