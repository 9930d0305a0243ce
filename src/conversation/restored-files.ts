import type {RestoreReport} from '../session/events.ts';
import type {UndoneFile} from '../session/transcript/diffs.ts';
import {createNamedFiles} from '../session/transcript/named-files.ts';
import {isIdle} from '../session/selectors.ts';
import {pluralize, shownPath} from '../text/format.ts';
import {errorMessage} from '../shared/failure.ts';
import type {ConversationContext} from './context.ts';
import {reportUnreviewed} from './review/review-actions.ts';

interface Suspicion {
  /** The first turn to consider. */
  readonly turn: number;
  /** Absolute paths of files that changed between turns. */
  readonly outside: ReadonlySet<string>;
}

/** Marks the files that changed between turns, and those that no tool call names. */
export function markDoubtful(
  {sink}: Pick<ConversationContext, 'sink'>,
  files: readonly UndoneFile[],
  {turn, outside}: Suspicion,
): readonly UndoneFile[] {
  const state = sink.state();
  const isNamed = createNamedFiles(state, turn);
  const doubtOf = ({path}: UndoneFile): UndoneFile['doubt'] => {
    if (outside.has(path)) return 'outside_turns';
    return isNamed(shownPath(path, state.cwd)) ? undefined : 'not_named';
  };
  return files.map((file) => {
    const doubt = doubtOf(file);
    return doubt === undefined ? file : {...file, doubt};
  });
}

/** The beginning of the sentence about restored files, with and without any. */
interface Beginnings {
  readonly done: string;
  readonly nothing: string;
}

/** Restores files, but not under a running turn, and adds a notice on what was restored, or why nothing was; true if nothing was refused. */
export async function reportRestored(
  context: Pick<ConversationContext, 'sink' | 'options' | 'snapshots'>,
  beginnings: Beginnings,
  restore: () => Promise<readonly UndoneFile[]>,
): Promise<boolean> {
  const {sink, options} = context;
  const notify = (level: 'info' | 'warning', text: string, restored?: RestoreReport) =>
    sink.emit({type: 'notice', level, text, ...(restored && {restored}), at: Date.now()});
  if (!isIdle(sink.state())) {
    notify('warning', `${beginnings.nothing}: a turn is running.`);
    return false;
  }
  try {
    const files = await restore();
    const isWhole = files.every(({refused}) => refused === undefined);
    const {sentence, left} = describe(files, options.cwd, beginnings);
    const isDone = files.some(({refused}) => refused === undefined);
    const text = [sentence, ...left, ...(isDone ? [INFORMED] : [])].join(' ');
    notify(isWhole ? 'info' : 'warning', text, isDone ? {sentence} : undefined);
    if (isDone) await reportUnreviewed(context, {isFresh: true});
    return isWhole;
  } catch (error) {
    notify('warning', `${beginnings.nothing}: ${errorMessage(error)}.`);
    return false;
  }
}

const INFORMED = 'The agent is informed with your next prompt.';

/** What was done, and a sentence for each file that was left unchanged. */
interface Described {
  readonly sentence: string;
  readonly left: readonly string[];
}

function describe(files: readonly UndoneFile[], cwd: string, {done, nothing}: Beginnings): Described {
  const list = (does: UndoneFile['does']) =>
    firstOf(
      files
        .filter((file) => file.refused === undefined && file.does === does)
        .map(({path}) => shownPath(path, cwd)),
    ).join(', ');
  const [restored, deleted] = [list('restore'), list('delete')];
  const parts = [
    ...(restored === '' ? [] : [`restored ${restored}`]),
    ...(deleted === '' ? [] : [`deleted ${deleted}`]),
  ];
  const left = files.flatMap(({path, refused}) =>
    refused === undefined ? [] : [`${shownPath(path, cwd)} is unchanged: ${refused}.`],
  );
  const sentence = parts.length > 0 ? `${done}: ${parts.join('; ')}.` : `${nothing}.`;
  return {sentence, left: firstOf(left, (more) => `${pluralize(more, 'more file')} unchanged.`)};
}

/** More would fill the screen and the agent's context. */
const MAX_NAMED = 50;

function firstOf(
  all: readonly string[],
  rest = (more: number) => `and ${pluralize(more, 'more file')}`,
): readonly string[] {
  return all.length <= MAX_NAMED ? all : [...all.slice(0, MAX_NAMED), rest(all.length - MAX_NAMED)];
}
