import {historyEntries, type History} from '../editor/history.ts';
import {emitEvent} from '../effects.ts';
import {pickerOf, type ListItem} from './picker.ts';
import {change} from '../editor/change.ts';
import type {Draft} from '../editor/draft.ts';
import {memoize} from '../../session/memoize.ts';
import type {HistoryScope, Picker} from '../state.ts';

/** Maximum length of an entry in the list, in UTF-16 units; the preview shows all of it. */
const LABEL_LENGTH = 300;

const titles: Readonly<Record<HistoryScope, string>> = {
  project: 'Earlier prompts of this project',
  everywhere: 'Earlier prompts of all projects',
};

/** Returns the list of earlier prompts, newest first. */
export function historyPicker(history: History, scope: HistoryScope): Picker {
  const entries = scope === 'project' ? history.project : historyEntries(history);
  return pickerOf({purpose: {kind: 'history', scope}, title: titles[scope], items: itemsOf(entries)});
}

/** Returns the same search in the project, or in all projects. */
export function otherScope(history: History, {purpose, filter}: Picker): Picker {
  const scope = purpose.kind === 'history' && purpose.scope === 'project' ? 'everywhere' : 'project';
  return {...historyPicker(history, scope), filter};
}

/** Replaces the draft by an earlier prompt; can be undone. */
function withEntry(draft: Draft, entry: string): Draft {
  return change(draft, {from: 0, to: draft.text.length, insert: entry, browsing: undefined});
}

const itemsOf = memoize((entries: readonly string[]): readonly ListItem[] =>
  entries.toReversed().map((entry) => ({
    id: entry,
    label: labelOf(entry),
    preview: entry,
    choose: ({tab, at}) =>
      emitEvent({type: 'draft_changed', key: tab.key, draft: withEntry(tab.draft, entry), at}),
  })),
);

function labelOf(entry: string): string {
  return entry.length <= LABEL_LENGTH ? entry : `${entry.slice(0, LABEL_LENGTH)}…`;
}
