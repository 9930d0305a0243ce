import {nothing, perform, type Reaction, type WorktreeEnd, type WorktreeLosses} from '../effects.ts';
import {openPicker, pickerOf} from '../pickers/picker.ts';
import type {Picker, SessionKey} from '../state.ts';
import {findChoice, type Command} from './command.ts';

/** What can be done with the worktree of a session. */
const ENDS = [
  {id: 'apply', name: 'Apply', description: 'its changes go to where it was made from, not committed'},
  {id: 'merge', name: 'Merge', description: 'its commits go into the branch that it was made from'},
  {id: 'keep', name: 'Keep', description: 'it and its branch are left to git'},
  {
    id: 'remove',
    name: 'Remove',
    description: 'it, its branch and this session; asks first if something is lost',
  },
] as const satisfies readonly {
  readonly id: WorktreeEnd;
  readonly name: string;
  readonly description: string;
}[];

export const worktree: Command = {
  name: 'worktree',
  argument: '[apply|merge|keep|remove]',
  description: "Bring the changes of this session's worktree back",
  complete: (_, typed) => ({before: '', typed, choices: ENDS}),
  run({tab: {key}, argument}) {
    const finish = (how: WorktreeEnd) => perform({kind: 'finish_worktree', session: key, how});
    if (argument !== '') {
      const chosen = findChoice(ENDS, argument);
      return chosen && finish(chosen.id);
    }
    const items = ENDS.map(({id, name, description}) => ({
      id,
      label: name,
      description,
      choose: () => finish(id),
    }));
    return openPicker(pickerOf({purpose: {kind: 'question'}, title: 'The worktree of this session', items}));
  },
};

/** Asks before a worktree is removed with what the note names; Enter alone keeps it. */
export function removeWorktreePicker(
  session: SessionKey,
  {name, note, agreed}: {readonly name: string; readonly note: string; readonly agreed: WorktreeLosses},
): Picker {
  return pickerOf({
    purpose: {kind: 'question'},
    title: `Remove the worktree ${name}`,
    note,
    items: [
      {id: 'keep', label: 'Keep it', choose: () => nothing},
      {
        id: 'remove',
        label: 'Remove it',
        choose: () => perform({kind: 'finish_worktree', session, how: 'remove', agreed}),
      },
    ],
  });
}

/** Opens a session in a new worktree; undefined if the argument of /new says something else. */
export function newInWorktree(session: SessionKey, argument: string): Reaction | undefined {
  const match = /^(?:--worktree|-w)(?:\s+(.+))?$/.exec(argument);
  const name = match?.[1];
  return match ? perform({kind: 'open_worktree', session, ...(name !== undefined && {name})}) : undefined;
}
