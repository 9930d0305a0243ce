import {nameOfSession} from '../../session/titles.ts';
import {age, bytes} from '../../text/format.ts';
import {prepareToFind} from '../completion/fuzzy-find.ts';
import {pickerOf, withItems} from './picker.ts';
import type {AppState, Picker, PickerItem, SessionScope} from '../state.ts';
import type {SessionList} from './listings.ts';

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

/** Returns the list of sessions, newest first. */
export function sessionPicker(list: SessionList): Picker {
  const {scope} = list;
  const start = {purpose: {kind: 'sessions', scope} as const, items: itemsOf(list)};
  return {...pickerOf({...start, title: titleOf(list)}), preview: {id: '', text: ''}};
}

/** Offers an interrupted session; Enter resumes it, and typing goes to the prompt. */
export function interruptedPicker(interrupted: {
  /** acp-tui's id. */
  readonly id: string;
  readonly name: string;
  /** Milliseconds since its last activity. */
  readonly ago: number;
}): Picker {
  return pickerOf({
    purpose: {kind: 'interrupted', row: interrupted.id},
    title: 'A session of this folder was interrupted',
    items: [
      {id: 'resume', label: 'Resume it', description: `${interrupted.name} · ${age(interrupted.ago)}`},
      {
        id: 'later',
        label: 'Start a new session',
        description: '/resume lists it; asked again at the next start.',
      },
      {id: 'close', label: "Start a new session, and don't ask again"},
    ],
  });
}

/** More items arrived; filter and selection are kept. Ignored if another list is open. */
export function withSessions(state: AppState, list: SessionList): AppState {
  const {overlay} = state;
  if (overlay.kind !== 'picker' || overlay.picker.purpose.kind !== 'sessions') return state;
  if (overlay.picker.purpose.scope !== list.scope) return state;
  const items = itemsOf(list);
  prepareToFind(items);
  const picker = {...withItems(overlay.picker, items), title: titleOf(list), note: list.note};
  return {...state, overlay: {kind: 'picker', picker}};
}

export function withPreview(
  state: AppState,
  preview: {readonly id: string; readonly text: string},
): AppState {
  const {overlay} = state;
  if (overlay.kind !== 'picker' || overlay.picker.purpose.kind !== 'sessions') return state;
  return {...state, overlay: {kind: 'picker', picker: {...overlay.picker, preview}}};
}

function titleOf({scope, isGrowing}: SessionList): string {
  return isGrowing ? `${titles[scope]} (loading…)` : titles[scope];
}

function itemsOf({rows, scope, at}: SessionList): readonly PickerItem[] {
  const sorted = rows.toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0));
  return sorted.map((row) => ({
    id: row.id,
    label: nameOfSession(row),
    columns: [
      row.status === 'closed' ? '' : row.status,
      row.at === undefined ? '' : age(at - row.at),
      row.agent ?? '',
      row.branch ?? '',
      ...(scope === 'folder' ? [] : [row.cwd ?? '']),
      row.bytes === undefined ? '' : bytes(row.bytes),
    ],
    description: [
      row.status === 'interrupted' ? 'interrupted' : row.status === 'open' ? 'open' : '',
      row.at === undefined ? '' : age(at - row.at),
      scope === 'folder' ? '' : row.cwd,
      row.branch,
      row.agent,
      row.bytes === undefined ? '' : bytes(row.bytes),
      row.title === undefined || row.firstPrompt === row.title ? '' : row.firstPrompt,
    ]
      .filter(Boolean)
      .join(' · '),
  }));
}
