import type {UndoPlan} from '../session/transcript/diffs.ts';
import {errorMessage} from '../shared/failure.ts';
import type {ConversationContext} from './context.ts';
import {reviewedSession} from './review/review-actions.ts';
import {reportRestored, markDoubtful} from './restored-files.ts';

/** Returns what undoing the newest turn with changes would do; undefined if no snapshots show any. */
export async function planUndo(context: ConversationContext): Promise<UndoPlan | undefined> {
  const {sink, snapshots} = context;
  const session = reviewedSession(context);
  if (!snapshots || !session) return undefined;
  try {
    const plan = await snapshots.planUndo(session);
    return plan && {...plan, files: markDoubtful(context, plan.files, {turn: plan.turn, outside: new Set()})};
  } catch (error) {
    sink.log('warn', `no undo: ${errorMessage(error)}`);
    return undefined;
  }
}

/** Undoes a turn, or only some of its files; adds a notice. */
export async function undoTurn(
  context: ConversationContext,
  turn: number,
  only?: readonly string[],
): Promise<void> {
  const {sink, snapshots} = context;
  const {sessionId: session} = sink.state();
  const restore = async () => {
    if (!snapshots || session === undefined) return [];
    await snapshots.save({session, turn});
    return snapshots.undo({session, turn}, only);
  };
  const beginnings = {done: `Turn ${turn} undone`, nothing: `Nothing of turn ${turn} was undone`};
  await reportRestored(context, beginnings, restore);
}
