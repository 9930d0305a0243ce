import {cursorsOf} from '../session/lifecycle/live.ts';
import type {RewindPlan, RewindPoint} from '../session/rewind.ts';
import {forksAtMessage} from '../agents/quirks.ts';
import type {Entry} from '../session/entries.ts';
import type {ForkPoint} from '../session/events.ts';
import {agentCan} from '../session/lifecycle/agent-capabilities.ts';
import type {SessionState} from '../session/state.ts';
import {promptText} from '../session/transcript/content.ts';
import {isAside} from '../session/transcript/transcript.ts';
import type {TurnSnapshots} from '../snapshots/turn-snapshots.ts';
import {errorMessage} from '../shared/failure.ts';
import type {ConversationContext} from './context.ts';
import {reportRestored, markDoubtful} from './restored-files.ts';

/** Returns the points that the session can be rewound to, newest first: its prompts, and states before files were restored. */
export async function rewindPoints({sink, snapshots}: ConversationContext): Promise<readonly RewindPoint[]> {
  const covered = (await snapshots?.points()) ?? [];
  const byTurn = Map.groupBy(covered, ({snapshot}) => snapshot.turn);
  const prompts = promptsOf(sink.state()).flatMap(({turn, at, text, excluded}): RewindPoint[] => {
    // Not matched by the agent's session id, which can change within one window.
    const found = byTurn.get(turn)?.find(({snapshot}) => isBefore(at, snapshot));
    // Of a turn that is no longer in the conversation, only the files can be restored.
    if (excluded && !found) return [];
    return [{kind: 'prompt', turn, text, at, snapshot: found?.snapshot.id, changed: found?.changed}];
  });
  const restores = covered
    .filter(({snapshot}) => snapshot.when === 'saved')
    .map(({snapshot: {at, id}}): RewindPoint => ({kind: 'restore', at, snapshot: id}));
  return [...prompts, ...restores].sort((one, other) => other.at - one.at);
}

type Snapshot = Awaited<ReturnType<TurnSnapshots['points']>>[number]['snapshot'];

/** How soon after its prompt a snapshot of an earlier version was taken, which does not name it, in milliseconds. */
const SOON_MS = 5000;

function isBefore(promptAt: number, {when, at, promptAt: named}: Snapshot): boolean {
  return when === 'before' && (named === undefined ? Math.abs(at - promptAt) < SOON_MS : named === promptAt);
}

interface Prompt {
  readonly turn: number;
  readonly at: number;
  readonly text: string;
  readonly excluded: boolean;
}

/** Without those that steered a running turn. */
function promptsOf({entries}: SessionState): readonly Prompt[] {
  const prompts = new Map<number, Prompt>();
  for (const entry of entries) {
    const {type, turn, at, excluded = false} = entry;
    if (type === 'user_message' && turn !== undefined && !prompts.has(turn))
      prompts.set(turn, {turn, at, text: promptText(entry.content), excluded});
  }
  return [...prompts.values()];
}

/** Returns what rewinding to a point would do to the files. */
export async function planRewind(context: ConversationContext, point: RewindPoint): Promise<RewindPlan> {
  const fork = point.kind === 'prompt' ? forkBefore(context.sink.state(), point.turn) : undefined;
  try {
    return {...(await planFiles(context, point)), fork};
  } catch (error) {
    return {...without(point, errorMessage(error)), fork};
  }
}

/** Returns how the agent can copy the session up to a turn; undefined if it cannot: a copy ends with a message, after which nothing may follow before the turn. */
function forkBefore(state: SessionState, turn: number): ForkPoint | undefined {
  const {agent, sessionId, entries, sessionStart} = state;
  if (!agent || sessionId === undefined || !agentCan(state, 'fork')) return undefined;
  const open = entries.slice(sessionStart).filter(({excluded}) => !excluded);
  const place = open.findIndex((entry) => entry.type === 'user_message' && entry.turn === turn);
  const prompt = open[place];
  if (!prompt) return undefined;
  const before = open.slice(0, place).findLast((entry) => !isAside(entry) && entry.type !== 'turn_end');
  const last = before?.type === 'agent_message' && before.turn !== undefined ? before : undefined;
  const idOf = (entry: Entry | undefined) => (entry && 'messageId' in entry ? entry.messageId : undefined);
  const [beforeId, afterId] = [idOf(prompt), idOf(last)];
  const cursor = [...cursorsOf(state)].find(
    ([, {canFork, anchor}]) =>
      canFork &&
      anchor !== undefined &&
      anchor.messageId === (anchor.position === 'before' ? beforeId : afterId),
  );
  if (cursor) return {sessionId, turn, at: {cursorId: cursor[0]}};
  return afterId !== undefined && forksAtMessage(agent)
    ? {sessionId, turn, at: {messageId: afterId}}
    : undefined;
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

/** Restores the files of a plan, or only some of them, after taking a snapshot; adds a notice on the result. True if nothing was refused. */
export async function rewind(
  context: ConversationContext,
  {point, now}: Pick<RewindPlan, 'point' | 'now'>,
  only?: readonly string[],
): Promise<boolean> {
  const {sink, snapshots} = context;
  const {sessionId: session} = sink.state();
  const {snapshot: to} = point;
  if (!snapshots || session === undefined || to === undefined) return false;
  const restore = async () => {
    await snapshots.save({session, turn: context.turn.number});
    return snapshots.rewind({from: now, to}, only);
  };
  const where = point.kind === 'prompt' ? `before turn ${point.turn}` : 'before the restore';
  const done = `The files are as they were ${where}`;
  return reportRestored(context, {done, nothing: 'No file was restored'}, restore);
}
