import type {RewindPlan, RewindPoint} from '../session/rewind.ts';
import type {SessionState} from '../session/state.ts';
import {promptText} from '../session/transcript/content.ts';
import type {TurnSnapshots} from '../snapshots/turn-snapshots.ts';
import {errorMessage} from '../shared/failure.ts';
import type {ConversationContext} from './context.ts';
import {reportRestored, markDoubtful} from './restored-files.ts';

/** Maximum clock difference between a prompt and its snapshot, in milliseconds. */
const SAME_PROMPT_MS = 5000;

/** Returns the points that the session can be rewound to, newest first: its prompts, and states before files were restored. */
export async function rewindPoints({sink, snapshots}: ConversationContext): Promise<readonly RewindPoint[]> {
  const covered = (await snapshots?.points()) ?? [];
  const prompts = promptsOf(sink.state()).map(({turn, at, text}): RewindPoint => {
    // Not matched by the agent's session id, which can change within one window.
    const found = covered.find(({snapshot}) => isBefore({turn, at}, snapshot));
    return {kind: 'prompt', turn, text, at, snapshot: found?.snapshot.id, changed: found?.changed};
  });
  const restores = covered
    .filter(({snapshot}) => snapshot.when === 'saved')
    .map(({snapshot: {at, id}}): RewindPoint => ({kind: 'restore', at, snapshot: id}));
  return [...prompts, ...restores].sort((one, other) => other.at - one.at);
}

type Snapshot = Awaited<ReturnType<TurnSnapshots['points']>>[number]['snapshot'];

function isBefore({turn, at}: Pick<Prompt, 'turn' | 'at'>, snapshot: Snapshot): boolean {
  const isNear = Math.abs(snapshot.at - at) < SAME_PROMPT_MS;
  return snapshot.when === 'before' && snapshot.turn === turn && isNear;
}

interface Prompt {
  readonly turn: number;
  readonly at: number;
  readonly text: string;
}

/** Without those that steered a running turn. */
function promptsOf({entries}: SessionState): readonly Prompt[] {
  const prompts = new Map<number, Prompt>();
  for (const entry of entries) {
    const {type, turn, at} = entry;
    if (type === 'user_message' && turn !== undefined && !prompts.has(turn))
      prompts.set(turn, {turn, at, text: promptText(entry.content)});
  }
  return [...prompts.values()];
}

/** Returns what rewinding to a point would do to the files. */
export async function planRewind(context: ConversationContext, point: RewindPoint): Promise<RewindPlan> {
  try {
    return await planFiles(context, point);
  } catch (error) {
    return without(point, errorMessage(error));
  }
}

function without(point: RewindPoint, problem: string): RewindPlan {
  return {point, now: '', files: [], uncovered: [], problem};
}

async function planFiles(context: ConversationContext, point: RewindPoint): Promise<RewindPlan> {
  const {snapshots} = context;
  const found = point.snapshot === undefined ? undefined : await snapshots?.planRewind(point.snapshot);
  if (!found) return without(point, 'there is no snapshot of the folder before it');
  const {now, files, outside, uncovered} = found;
  if (point.kind === 'restore') return {point, now, files, uncovered};
  return {point, now, files: markDoubtful(context, files, {turn: point.turn, outside}), uncovered};
}

/** Restores the files of a plan, or only some of them, after taking a snapshot; adds a notice on the result. */
export async function rewind(
  context: ConversationContext,
  {point, now}: Pick<RewindPlan, 'point' | 'now'>,
  only?: readonly string[],
): Promise<void> {
  const {sink, snapshots} = context;
  const {sessionId: session} = sink.state();
  const {snapshot: to} = point;
  if (!snapshots || session === undefined || to === undefined) return;
  const restoring = async () => {
    await snapshots.save({session, turn: context.turn.number});
    return snapshots.rewind({from: now, to}, only);
  };
  const where = point.kind === 'prompt' ? `before turn ${point.turn}` : 'before the restore';
  const done = `The files are as they were ${where}`;
  await reportRestored(context, {done, nothing: 'No file was restored'}, restoring());
}
