import type {SessionState} from '../../session/state.ts';
import {combine, emitEvent, nothing, perform, type Reaction} from '../effects.ts';
import type {AppEventOf} from '../events.ts';
import {keyFor} from '../keymap/key-names.ts';
import type {Keymap} from '../keymap/keymap.ts';
import {openedViewer, START} from '../pages/viewer.ts';
import type {AppState, Picker} from '../state.ts';
import {openPicker, pickerOf, selectedItem, type ListItem} from './picker.ts';

/** Returns what can be done with the selected session of the list, each with its key there, and with those that are not listed. */
export function sessionActions(list: Picker, keymap: Keymap): Picker {
  const selected = selectedItem(list);
  return {
    ...pickerOf({
      purpose: {kind: 'session_actions', over: list},
      title: selected?.label ?? list.title,
      items: [
        ...(selected ? actionsOn(selected.id, list, keymap) : []),
        {
          id: 'undelete',
          label: 'Restore the session deleted last',
          group: 'Other sessions',
          choose: () => perform({kind: 'restore_session'}),
        },
      ],
    }),
    closing: 'back',
  };
}

function actionsOn(row: string, list: Picker, keymap: Keymap): readonly ListItem[] {
  const {purpose} = list;
  const place = list.said?.filter === list.filter ? list.said.places.get(row) : undefined;
  const isArchived = purpose.kind === 'sessions' && purpose.scope === 'archived';
  return [
    {
      id: 'resume',
      label: 'Resume',
      description: keyFor('confirm', keymap),
      choose: (selection) => resumeListed({row, fork: false}, selection),
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
      choose: (selection) => resumeListed({row, fork: true}, selection),
    },
    {
      id: 'rename',
      label: 'Rename',
      // The list may have changed below the menu.
      choose: ({picker: {purpose: menu}}) => openPicker(titlePicker(row, 'over' in menu ? menu.over : list)),
    },
    {
      id: 'archive',
      label: isArchived ? 'Restore from the archive' : 'Archive',
      description: keyFor('archive_session', keymap),
      choose: () => perform({kind: isArchived ? 'unarchive_session' : 'archive_session', row}),
    },
    {
      id: 'delete',
      label: 'Delete',
      description: keyFor('delete_session', keymap),
      choose: () => perform({kind: 'delete_session', row, sure: false}),
    },
  ];
}

/** A field for the title of a session of the list. */
function titlePicker(row: string, list: Picker): Picker {
  const title = selectedItem(list)?.label ?? '';
  const save: ListItem = {
    id: 'save',
    label: 'Save',
    description: 'nothing typed: the automatic title',
    choose({picker}) {
      const typed = picker.filter.trim();
      // Otherwise the automatic title would be the user's.
      return typed === title.trim() ? nothing : perform({kind: 'rename_session', row, title: typed});
    },
  };
  const purpose = {kind: 'session_title', over: list} as const;
  return {...pickerOf({purpose, title: `Rename "${title}"`, items: [save]}), filter: title, closing: 'back'};
}

/** Closes the list and resumes a session of it, in place of a new one that is wanted. */
export function resumeListed(
  session: {readonly row: string; readonly fork: boolean},
  {state, at}: {readonly state: AppState; readonly at: number},
): Reaction {
  return combine(
    emitEvent({type: 'session_wanted', key: state.active, isWanted: false}),
    emitEvent({type: 'overlay_closed', at}),
    perform({kind: 'resume_session', ...session}),
  );
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
