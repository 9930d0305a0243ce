import {stateWord} from '../../session/labels/session-states.ts';
import {hasNoSession} from '../../session/selectors.ts';
import {nameOfSession} from '../../session/titles.ts';
import {age, bytes, pluralize} from '../../text/format.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {truncate} from '../../text/truncate.ts';
import {
  nothing,
  perform,
  combine,
  type Effect,
  type EffectOf,
  type FolderAnswer,
  type Reaction,
} from '../effects.ts';
import {keyFor} from '../keymap/key-names.ts';
import type {Action, Keymap} from '../keymap/keymap.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Picker} from '../state.ts';
import type {SessionList, SessionListing, SessionScope} from './listings.ts';
import {resumeListed, sessionActions} from './session-actions.ts';
import {
  changeList,
  openList,
  openPicker,
  pickerOf,
  selectedItem,
  withItems,
  type ListItem,
} from './picker.ts';

const titles: Readonly<Record<SessionScope, string>> = {
  folder: 'Sessions of this folder',
  everywhere: 'Sessions of all folders',
  archived: 'Archived sessions',
};

/** The scope after the next press of the key that switches it. */
export const NEXT_SCOPE: Readonly<Record<SessionScope, SessionScope>> = {
  folder: 'everywhere',
  everywhere: 'archived',
  archived: 'folder',
};

/** Columns for what a session asks; all of it is found by the filter. */
const MOST_ASKED = 28;

/** Returns the list of sessions, newest first. */
export function sessionPicker(list: SessionList, listing: SessionListing = {}): Picker {
  const {scope} = list;
  const purpose = {kind: 'sessions', scope, ...listing} as const;
  const start = {purpose, items: itemsOf(list, listing)};
  return {...pickerOf({...start, title: titleOf(list, listing)}), preview: {id: '', text: ''}};
}

/** Offers an interrupted session; Enter resumes it, and typing goes to the prompt. */
export function interruptedPicker({
  id,
  name,
  ago,
}: {
  /** acp-tui's id. */
  readonly id: string;
  readonly name: string;
  /** Milliseconds since its last activity. */
  readonly ago: number;
}): Picker {
  return pickerOf({
    purpose: {kind: 'question'},
    title: 'A session of this folder was interrupted',
    items: [
      {
        id: 'resume',
        label: 'Resume it',
        description: `${name} · ${age(ago)}`,
        choose: () => perform({kind: 'resume_session', row: id, fork: false}),
      },
      {
        id: 'later',
        label: 'Start a new session',
        description: '/resume lists it; asked again at the next start.',
      },
      {
        id: 'close',
        label: "Start a new session, and don't ask again",
        choose: () => perform({kind: 'mark_session_closed', row: id}),
      },
    ],
  });
}

/** More items arrived; filter and selection are kept. */
export function withSessions(state: AppState, found: SessionList): AppState {
  const changed = (list: Picker): Picker => {
    if (list.purpose.kind !== 'sessions' || list.purpose.scope !== found.scope) return list;
    const {withPrint} = list.purpose;
    const hidden = hiddenNote(found, {withPrint, keymap: state.keymap});
    const note = [found.note, hidden].filter(Boolean).join('\n') || undefined;
    return {...withItems(list, itemsOf(found, list.purpose)), title: titleOf(found, list.purpose), note};
  };
  const {overlay} = state;
  if (overlay.kind !== 'picker' || !('over' in overlay.picker.purpose))
    return changeList(state, 'sessions', changed);
  const {picker} = overlay;
  const purpose = {...overlay.picker.purpose, over: changed(overlay.picker.purpose.over)};
  return {...state, overlay: {kind: 'picker', picker: {...picker, purpose}}};
}

export function withPreview(state: AppState, preview: Picker['preview'] & {}): AppState {
  return changeList(state, 'sessions', (list) => ({...list, preview}));
}

function titleOf({scope, isGrowing}: SessionList, {fork = false}: SessionListing): string {
  return `${titles[scope]}${fork ? ' to fork' : ''}${isGrowing ? ' (loading…)' : ''}`;
}

/** Counts the runs of print mode that are not listed. */
function hiddenNote(
  {rows}: SessionList,
  {withPrint = false, keymap}: SessionListing & {readonly keymap: Keymap},
): string | undefined {
  const hidden = withPrint ? 0 : rows.filter(({byPrint}) => byPrint).length;
  if (hidden === 0) return undefined;
  return `${pluralize(hidden, 'print-mode run')} hidden · ${keyFor('switch_print_runs', keymap)} show`;
}

function itemsOf(
  {rows, scope, at}: SessionList,
  {withPrint = false, fork = false}: SessionListing,
): readonly ListItem[] {
  const listed = withPrint ? rows : rows.filter(({byPrint}) => !byPrint);
  const sorted = listed.toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0));
  return sorted.map((row): ListItem => ({
    id: row.id,
    label: nameOfSession(row),
    columns: [
      [row.byPrint ? '-p' : '', stateWord(row.status)].filter(Boolean).join(' '),
      truncate(row.asks ?? '', MOST_ASKED),
      row.at === undefined ? '' : age(at - row.at),
      row.agent ?? '',
      row.branch ?? '',
      ...(scope === 'folder' ? [] : [row.source ?? row.cwd]),
      row.bytes === undefined ? '' : bytes(row.bytes),
    ],
    description: [
      row.byPrint ? 'print mode' : '',
      stateWord(row.status),
      row.asks,
      row.at === undefined ? '' : age(at - row.at),
      row.source !== undefined && `worktree of ${row.source}`,
      scope === 'folder' ? '' : row.cwd,
      row.branch,
      row.agent,
      row.bytes === undefined ? '' : bytes(row.bytes),
      row.title === undefined || row.firstPrompt === row.title ? '' : row.firstPrompt,
    ]
      .filter(Boolean)
      .join(' · '),
    keepsOpen: true,
    choose: (selection) => resumeListed({row: row.id, fork}, selection),
  }));
}

/** Opens the list, which fills as sessions are found. `like` is the one whose place it takes: where its filter was said is the same in any scope. */
export function showSessions(
  scope: SessionScope,
  {withPrint, fork, ...like}: Partial<Pick<Picker, 'filter' | 'said'>> & SessionListing = {},
): Reaction {
  const picker = {
    ...sessionPicker({scope, isGrowing: true, rows: [], at: 0}, {withPrint, fork}),
    ...like,
  };
  return combine(openPicker(picker), perform({kind: 'find_sessions', scope}));
}

interface ListKey {
  readonly action: Action | undefined;
  readonly picker: Picker;
  readonly state: AppState;
  readonly at: number;
}

/** Handles the keys that only session lists have; undefined for any other key. */
export function sessionListKey({action, picker, state, at}: ListKey): Reaction | undefined {
  const {purpose, filter, said} = picker;
  if (purpose.kind !== 'sessions') return undefined;
  const {scope, withPrint = false, fork} = purpose;
  const like = {filter, fork, ...(said && {said})};
  if (action === 'switch_scope') return showSessions(NEXT_SCOPE[scope], {...like, withPrint});
  if (action === 'switch_print_runs') return showSessions(scope, {...like, withPrint: !withPrint});
  if (action === 'ask_agents') return perform({kind: 'ask_agents'});
  const row = selectedItem(picker)?.id;
  switch (action) {
    case 'session_actions':
      return openPicker(sessionActions(picker, state.keymap));
    case 'fork_session':
      return row === undefined ? nothing : resumeListed({row, fork: true}, {state, at});
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

interface Removal {
  readonly title: string;
  readonly how: EffectOf<'remove_open'>['how'];
  /** What is lost, as sentences. */
  readonly note: string;
  readonly isForGood: boolean;
  readonly effect: Effect;
}

/** Asks before a session is removed from the window, or for good; Enter alone keeps it. */
export function removalPicker({title, how, note, isForGood, effect}: Removal): Picker {
  const what = {close: 'Close', delete: 'Delete', archive: 'Archive'}[how];
  const label = how === 'close' ? what : `Close and ${how}`;
  return pickerOf({
    purpose: {kind: 'question'},
    title: `${what} "${title}"`,
    note,
    items: [
      {id: 'keep', label: 'Keep'},
      {id: how, label: isForGood ? 'Delete permanently' : label, choose: () => perform(effect)},
    ],
  });
}

interface NamedFolders {
  readonly row: string;
  readonly fork: boolean;
  readonly title: string;
  readonly folders: readonly string[];
  /** The folder that is used without them. */
  readonly here: string;
}

/** Asks before a session gets folders that only its agent names: it could read and write there. Enter alone opens nothing. */
export function foldersPicker({row, fork, title, folders, here}: NamedFolders): Picker {
  const resume = (answer: FolderAnswer) => () =>
    perform({kind: 'resume_session', row, fork, folders: answer});
  return pickerOf({
    purpose: {kind: 'question'},
    title: `Resume "${title}" in other folders?`,
    note: `The agent says that it belongs to these. There it could read and write:\n${folders.map(escapeHiddenLine).join('\n')}`,
    items: [
      {id: 'cancel', label: "Don't resume it"},
      {id: 'here', label: `Resume it in ${escapeHiddenLine(here)} only`, choose: resume('none')},
      {id: 'allow', label: 'Resume it in these folders', choose: resume(folders)},
    ],
  });
}

/** True for the list of sessions while none is open: closing it opens a new one. */
export function choosesFirstSession(state: AppState): boolean {
  const {session} = activeSession(state);
  if (!openList(state, 'sessions')) return false;
  return hasNoSession(session) || (session.connection.kind === 'starting' && session.unused);
}
