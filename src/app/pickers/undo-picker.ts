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
      title: `Take back what turn ${turn} wrote`,
      items: [
        {id: 'keep', label: 'Leave everything as it is'},
        {
          id: 'undo',
          label: possible === 1 ? 'Take back 1 file' : `Take back ${possible} files`,
          description: 'The agent is not told of it.',
          disabled: possible === 0 ? 'None of its files can be taken back.' : undefined,
        },
        ...files.map((file, index) => ({
          id: `file-${index}`,
          label: shownPath(file.path, cwd),
          group: 'What happens',
          disabled: fate(file),
        })),
      ],
    },
    answerFrom,
  );
}

function fate({does, refused}: UndoneFile): string {
  if (refused !== undefined) return `Stays as it is: ${refused}.`;
  return does === 'delete' ? 'Is deleted: it was not there before.' : 'Gets back what it held before.';
}
