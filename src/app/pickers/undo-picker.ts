import type {UndoneFile, UndoPlan} from '../../session/transcript/diffs.ts';
import {shownPath} from '../../text/format.ts';
import {pickerOf} from './picker.ts';
import type {Picker} from '../state.ts';

/** Returns a confirmation of an undo, file by file. Enter alone does nothing, so that a late key confirms nothing. */
export function undoPicker({turn, files}: UndoPlan, cwd: string, answerFrom: number): Picker {
  const possible = files.filter(({refused}) => refused === undefined).length;
  return pickerOf(
    {
      purpose: {kind: 'undo', turn},
      title: `Undo the file changes of turn ${turn}`,
      items: [
        {id: 'keep', label: 'Keep all changes'},
        {
          id: 'undo',
          label: possible === 1 ? 'Undo 1 file' : `Undo ${possible} files`,
          description: 'Whoever changed them in the turn. The agent is not notified.',
          disabled: possible === 0 ? 'None of its files can be restored.' : undefined,
        },
        ...files.map((file, index) => ({
          id: `file-${index}`,
          label: shownPath(file.path, cwd),
          group: 'Effect',
          disabled: effectLabel(file),
        })),
      ],
    },
    answerFrom,
  );
}

function effectLabel({does, refused}: UndoneFile): string {
  if (refused !== undefined) return `Unchanged: ${refused}.`;
  return does === 'delete' ? 'Deleted: it did not exist before.' : 'Restored to its previous content.';
}
