import {lineCountsLabel} from '../../session/line-counts.ts';
import type {RewindPlan, RewindPoint} from '../../session/rewind.ts';
import type {UndoneFile, UndoPlan} from '../../session/transcript/diffs.ts';
import {ago, counted, shownPath} from '../../text/format.ts';
import {call, fold, nothing, together, type Step} from '../effects.ts';
import type {OpenSession, Picker, PickerItem} from '../state.ts';
import {pickerOf} from './picker.ts';

/** When the list was opened, and the folder. */
interface Asked {
  readonly cwd: string;
  /** Only keys pressed after this time select. */
  readonly answerFrom: number;
}

/** Returns a confirmation of an undo, file by file. Enter alone does nothing, so that a late key confirms nothing. */
export function undoPicker({turn, files, uncovered}: UndoPlan, {cwd, answerFrom}: Asked): Picker {
  return pickerOf(
    {
      purpose: {kind: 'undo', turn, sure: sureOf(files)},
      title: `Undo the file changes of turn ${turn}`,
      ...(uncovered && {note: notCovered(uncovered)}),
      items: [
        {id: 'keep', label: 'Keep all changes', preview: ''},
        ...fileChoices('Undo', files),
        ...fileItems(files, cwd),
      ],
    },
    answerFrom,
  );
}

/** Returns the list of prompts that a session can be rewound to, newest first. */
export function rewindPicker(points: readonly RewindPoint[], now: number): Picker {
  const items = points.map((point, index): PickerItem => {
    const isPrompt = point.kind === 'prompt';
    const label = isPrompt ? firstLine(point.text) : 'Before files were restored';
    const columns = [isPrompt ? changeSummary(point) : '', ago(now - point.at)];
    return {id: String(index), label, columns, description: columns.filter(Boolean).join(' · ')};
  });
  return pickerOf({
    purpose: {kind: 'rewind', points},
    title: 'Rewind to before a prompt',
    note: 'Select one to see what would change.',
    items,
  });
}

function changeSummary({snapshot, changed}: Extract<RewindPoint, {kind: 'prompt'}>): string {
  if (snapshot === undefined) return 'files not covered';
  return changed ? lineCountsLabel(changed) : 'end of the turn not covered';
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] || '(no text)';
}

const NOT_COVERED =
  'Not covered: ignored files, commits, files outside of this folder, what commands did elsewhere';
/** Number of uncovered files that are named. */
const MAX_NAMED = 5;

function notCovered(uncovered: RewindPlan['uncovered']): string {
  const named = uncovered.slice(0, MAX_NAMED).map(({path, reason}) => `${path} (${reason})`);
  const more = uncovered.length > MAX_NAMED ? [`${uncovered.length - MAX_NAMED} more`] : [];
  return `${[NOT_COVERED, ...named, ...more].join(', ')}.`;
}

/** Returns what rewinding would do, and the choices of what to restore. Enter alone does nothing. */
export function rewindToPicker(plan: RewindPlan, {cwd, answerFrom}: Asked): Picker {
  const {point, files, uncovered, problem} = plan;
  const isPrompt = point.kind === 'prompt';
  return pickerOf(
    {
      purpose: {kind: 'rewind_to', plan},
      title: isPrompt ? `Rewind to before: ${firstLine(point.text)}` : 'Rewind to before files were restored',
      note: problem === undefined ? notCovered(uncovered) : `No files can be restored: ${problem}.`,
      items: [
        {id: 'keep', label: 'Change nothing', preview: ''},
        ...(problem === undefined ? fileChoices('Restore', files) : []),
        ...(isPrompt ? conversationChoices(files) : []),
        ...fileItems(files, cwd),
      ],
    },
    answerFrom,
  );
}

const WITH_CONTEXT = 'A new session with the conversation so far as context.';

function conversationChoices(files: readonly UndoneFile[]): readonly PickerItem[] {
  const possible = files.filter(isPossible).length;
  const both = `Restore ${counted(possible, 'file')} and rewind the conversation`;
  return [
    ...(possible === 0 ? [] : [{id: 'both', label: both, description: WITH_CONTEXT}]),
    {id: 'conversation', label: 'Rewind the conversation only', description: WITH_CONTEXT},
  ];
}

/** All files, and if something else may have changed some, only the others. */
function fileChoices(verb: 'Undo' | 'Restore', files: readonly UndoneFile[]): readonly PickerItem[] {
  const possible = files.filter(isPossible);
  const doubted = possible.filter(({doubt}) => doubt !== undefined).length;
  const sure = possible.length - doubted;
  const description = 'The agent is informed with your next prompt.';
  const words =
    doubted === 0 ? description : `Including what something else may have changed. ${description}`;
  if (possible.length === 0) return [{id: 'all', label: `${verb} files`, disabled: whyNone(files)}];
  const all: PickerItem = {
    id: 'all',
    label: `${verb} ${counted(possible.length, 'file')}`,
    description: words,
  };
  if (doubted === 0 || sure === 0) return [all];
  const keeps = `${verb} ${counted(sure, 'file')}, keep ${doubted} that something else may have changed`;
  return [{id: 'sure', label: keeps, description}, all];
}

function whyNone(files: readonly UndoneFile[]): string {
  return files.length === 0 ? 'No file would change.' : 'None of its files can be restored.';
}

function fileItems(files: readonly UndoneFile[], cwd: string): readonly PickerItem[] {
  return files.map((file, index) => ({
    id: `file-${index}`,
    label: shownPath(file.path, cwd),
    isPath: true,
    group: 'Effect',
    disabled: effectLabel(file),
    preview: file.preview ?? '',
  }));
}

const DOUBTS: Readonly<Record<NonNullable<UndoneFile['doubt']>, string>> = {
  outside_turns: 'It was also changed between turns.',
  also_changed: 'Something else changed it, too.',
  not_named: 'No tool call names it: a command or something else changed it.',
};

function effectLabel({does, refused, doubt}: UndoneFile): string {
  if (refused !== undefined) return `Unchanged: ${refused}.`;
  const effect =
    does === 'delete' ? 'Deleted: it did not exist before.' : 'Restored to its previous content.';
  return doubt === undefined ? effect : `${effect} ${DOUBTS[doubt]}`;
}

function isPossible({refused}: UndoneFile): boolean {
  return refused === undefined;
}

function sureOf(files: readonly UndoneFile[]): readonly string[] {
  return files.filter(({doubt}) => doubt === undefined).map(({path}) => path);
}

/** Undoes all files, or only those that nothing else changed. */
export function chooseUndo(
  key: string,
  {turn, sure}: Pick<UndoPlan, 'turn'> & {sure: readonly string[]},
  id: string,
): Step {
  if (id === 'all') return call(key, 'undo', turn);
  return id === 'sure' ? call(key, 'undo', turn, sure) : nothing;
}

/** Rewinds: the prompt returns to the draft. */
export function chooseRewind({key}: OpenSession, {point, now, files}: RewindPlan, id: string): Step {
  const restore = (...only: [paths?: readonly string[]]) => call(key, 'rewind', {point, now}, ...only);
  const turn = point.kind === 'prompt' ? point.turn : undefined;
  const withPrompt = turn === undefined ? nothing : fold({type: 'rewound', key, turn});
  const newSession =
    turn === undefined
      ? nothing
      : together(
          fold({type: 'rewound', key, turn, toNewSession: true}),
          call(key, 'openSession', {kind: 'new'}),
        );
  switch (id) {
    case 'all':
      return together(restore(), withPrompt);
    case 'sure':
      return together(restore(sureOf(files)), withPrompt);
    case 'both':
      return together(restore(), newSession);
    case 'conversation':
      return newSession;
    default:
      return nothing;
  }
}
