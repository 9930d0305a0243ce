import type {NextOpening} from '../../session/events.ts';
import {lineCountsLabel} from '../../session/line-counts.ts';
import type {RewindPlan, RewindPoint} from '../../session/rewind.ts';
import type {UndoneFile, UndoPlan} from '../../session/transcript/diffs.ts';
import {ago, pluralize, shownPath} from '../../text/format.ts';
import {callAction, emitEvent, nothing, perform, combine, type Reaction} from '../effects.ts';
import type {Picker} from '../state.ts';
import {pickerOf, type ListItem, type PickerSelection} from './picker.ts';

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
      purpose: {kind: 'question'},
      title: `Undo the file changes of turn ${turn}`,
      ...(uncovered && {note: notCovered(uncovered)}),
      items: [
        {id: 'keep', label: 'Keep all changes', preview: ''},
        ...fileChoices(
          'Undo',
          files,
          (...only) =>
            ({tab: {key}}) =>
              callAction(key, 'undo', turn, ...only),
        ),
        ...fileItems(files, cwd),
      ],
    },
    answerFrom,
  );
}

/** Returns the list of prompts that a session can be rewound to, newest first. */
export function rewindPicker(points: readonly RewindPoint[], now: number): Picker {
  const items = points.map((point, index): ListItem => {
    const isPrompt = point.kind === 'prompt';
    const label = isPrompt ? firstLine(point.text) : 'Before files were restored';
    const columns = [isPrompt ? changeSummary(point) : '', ago(now - point.at)];
    const description = columns.filter(Boolean).join(' · ');
    const choose = ({tab: {key}}: PickerSelection) => perform({kind: 'plan_rewind', key, point});
    return {id: String(index), label, columns, description, choose};
  });
  return pickerOf({
    purpose: {kind: 'ordered_list'},
    title: 'Rewind to before a prompt',
    note: 'Select one to see what would change.',
    items,
  });
}

type PromptPoint = Extract<RewindPoint, {kind: 'prompt'}>;

function changeSummary({snapshot, changed}: PromptPoint): string {
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
      purpose: {kind: 'question'},
      title: isPrompt ? `Rewind to before: ${firstLine(point.text)}` : 'Rewind to before files were restored',
      note: problem === undefined ? notCovered(uncovered) : `No files can be restored: ${problem}.`,
      items: [
        {id: 'keep', label: 'Change nothing', preview: ''},
        ...(problem === undefined ? fileChoices('Restore', files, (only) => restored(plan, only)) : []),
        ...(isPrompt ? conversationChoices(plan, point) : []),
        ...fileItems(files, cwd),
      ],
    },
    answerFrom,
  );
}

const WITH_CONTEXT = 'A new session with the conversation so far as context.';
const AS_COPY = 'A copy of the session up to there: the agent knows all of it.';

function conversationChoices(plan: RewindPlan, point: PromptPoint): readonly ListItem[] {
  const possible = plan.files.filter(isPossible).length;
  const both: ListItem = {
    id: 'both',
    label: `Restore ${pluralize(possible, 'file')} and rewind the conversation`,
    description: plan.fork ? AS_COPY : WITH_CONTEXT,
    choose: inNewSession(plan, point, {files: true}),
  };
  const only: ListItem = {
    id: 'conversation',
    label: 'Rewind the conversation only',
    description: plan.fork ? AS_COPY : WITH_CONTEXT,
    choose: inNewSession(plan, point, {files: false}),
  };
  return possible === 0 ? [only] : [both, only];
}

/** All files, and if something else may have changed some, only the others. */
function fileChoices(
  verb: 'Undo' | 'Restore',
  files: readonly UndoneFile[],
  restoring: (...only: [paths?: readonly string[]]) => ListItem['choose'],
): readonly ListItem[] {
  const possible = files.filter(isPossible);
  const doubted = possible.filter(({doubt}) => doubt !== undefined).length;
  const sure = possible.length - doubted;
  const description = 'The agent is informed with your next prompt.';
  const words =
    doubted === 0 ? description : `Including what something else may have changed. ${description}`;
  if (possible.length === 0) return [{id: 'all', label: `${verb} files`, disabled: whyNone(files)}];
  const all: ListItem = {
    id: 'all',
    label: `${verb} ${pluralize(possible.length, 'file')}`,
    description: words,
    choose: restoring(),
  };
  if (doubted === 0 || sure === 0) return [all];
  const keeps = `${verb} ${pluralize(sure, 'file')}, keep ${doubted} that something else may have changed`;
  return [{id: 'sure', label: keeps, description, choose: restoring(sureOf(files))}, all];
}

function whyNone(files: readonly UndoneFile[]): string {
  return files.length === 0 ? 'No file would change.' : 'None of its files can be restored.';
}

function fileItems(files: readonly UndoneFile[], cwd: string): readonly ListItem[] {
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

/** Rewinds the files, all of them if not named; the prompt returns to the draft. */
function restored({point, now}: RewindPlan, paths?: readonly string[]) {
  return ({tab: {key}}: PickerSelection): Reaction =>
    combine(
      callAction(key, 'rewind', {point, now}, ...(paths ? [paths] : [])),
      point.kind === 'prompt' ? emitEvent({type: 'rewound', key, turn: point.turn}) : nothing,
    );
}

/** Rewinds the conversation into a copy of the session up to there, or else a new session, and with `files` all files. */
function inNewSession(
  {now, fork, files: all}: RewindPlan,
  point: PromptPoint,
  {files}: {readonly files: boolean},
) {
  const next: NextOpening = fork
    ? {kind: 'continue', sessionId: fork.sessionId, fork: true, forkAt: fork}
    : {kind: 'new'};
  return ({tab: {key}}: PickerSelection): Reaction =>
    combine(
      emitEvent({type: 'rewound', key, turn: point.turn, ...(!fork && {toNewSession: true})}),
      files
        ? callAction(
            key,
            'rewind',
            {point, now, next},
            all.filter(isPossible).map(({path}) => path),
          )
        : callAction(key, 'openSession', next),
    );
}
