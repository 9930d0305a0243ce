import {join} from 'node:path';
import {whyTurnRuns} from '../../app/commands/command.ts';
import {removeWorktreePicker} from '../../app/commands/worktree-commands.ts';
import type {EffectOf, WorktreeEnd} from '../../app/effects.ts';
import type {SessionKey} from '../../app/state.ts';
import {sessionKeys} from '../../app/open-sessions.ts';
import type {ConversationOptions} from '../../conversation/options.ts';
import {isWithin} from '../../shared/files/folders.ts';
import {addNotice} from '../notices.ts';
import {lostByClosing} from './session-effects.ts';
import {optionsOfNew} from '../sessions/options-beside.ts';
import {
  notify,
  notifyBehind,
  showPicker,
  type EffectContext,
  type EffectHandlers,
  type EffectOutcome,
} from './effect-context.ts';
import type {WorktreeRecord} from '../../worktrees/worktree-record.ts';

/** Effects on the worktrees of sessions. */
export const worktreeEffects = {
  open_worktree({session, name}, context) {
    const options = optionsOfNew(context.sessions.optionsOf(session), context.optionsForAgent);
    return openInWorktree({options, named: {name}}, context);
  },
  async finish_worktree(effect, context) {
    const {session: key, how} = effect;
    const {sessions, store, settings} = context;
    const tab = store.latest().sessions[key];
    if (!tab) return undefined;
    const {readRecords} = await import('../../worktrees/worktree-record.ts');
    const {cwd} = sessions.optionsOf(key);
    const record = readRecords(settings.state).find(({folder}) => isWithin(cwd, folder));
    if (!record) return notify(context, 'This session works in no worktree; /new --worktree starts one.');
    const problem = how === 'apply' ? undefined : whyTurnRuns(tab, store.latest().keymap);
    if (problem !== undefined) return notify(context, problem);
    const inUse = how === 'apply' ? undefined : await whyInUseByOthers({record, key}, context);
    if (inUse !== undefined) return notify(context, `The worktree ${record.name} is in use: ${inUse}.`);
    // A step would take away what the one before still reads.
    if (atWork.has(record.folder))
      return notify(context, `The worktree ${record.name} is in use: this window is at work on it.`);
    atWork.add(record.folder);
    const step = how === 'remove' ? remove(record, effect, context) : finish(how, {record, key}, context);
    return step.finally(() => atWork.delete(record.folder));
  },
} satisfies Partial<EffectHandlers>;

/** The folders of worktrees that are being brought back, kept or removed. */
const atWork = new Set<string>();

interface InWorktree {
  readonly options: ConversationOptions;
  readonly named: Parameters<EffectContext['openWorktree']>[1];
  /** Gets the session, before it is open; one without takes the queue. */
  readonly onAdded?: (key: SessionKey) => void;
}

/** Opens a session in a new worktree of the folder of its options; it takes the screen unless the user has gone on meanwhile. */
export async function openInWorktree(
  {options: base, named, onAdded}: InWorktree,
  context: EffectContext,
): Promise<EffectOutcome> {
  const {sessions, store, openWorktree, began} = context;
  notify(context, 'Creating the worktree…');
  const created = await openWorktree(base, named);
  if (!created.ok) return created;
  const {cwd, notices, problems} = created.value;
  const options = {...base, cwd, additionalDirectories: []};
  const added = (opened: SessionKey) => {
    for (const notice of notices) addNotice(store, notice, {level: 'info', key: opened});
    notifyBehind(opened, context, (place) => `The worktree is ready, ${place}.`);
    onAdded?.(opened);
  };
  const takesQueue = onAdded === undefined;
  const worktree = created.value;
  void sessions.open({options, problems, takesQueue, worktree}, {began, onAdded: added});
  return undefined;
}

interface OfSession {
  readonly record: WorktreeRecord;
  readonly key: SessionKey;
}

/** Says whether another session works in the worktree, of this window or another one. */
async function whyInUseByOthers(
  {record, key}: OfSession,
  {sessions, store, storage, background}: EffectContext,
): Promise<string | undefined> {
  const {whyInUse} = await import('../../worktrees/worktree-sessions.ts');
  const others = sessionKeys(store.latest()).filter((other) => other !== key);
  if (others.some((other) => isWithin(sessions.optionsOf(other).cwd, record.folder)))
    return 'another session of this window works in it';
  const service = await background?.running();
  return whyInUse(record, storage.sessions, {id: storage.recording.id(key), service});
}

async function finish(
  how: Exclude<WorktreeEnd, 'remove'>,
  {record, key}: OfSession,
  {store, settings}: EffectContext,
): Promise<EffectOutcome> {
  const [{applyWorktree}, {mergeWorktree}, {releaseWorktree}] = await Promise.all([
    import('../../worktrees/apply-worktree.ts'),
    import('../../worktrees/merge-worktree.ts'),
    import('../../worktrees/remove-worktree.ts'),
  ]);
  const run = {apply: applyWorktree, merge: mergeWorktree, keep: releaseWorktree}[how];
  const done = await run(record, {state: settings.state});
  if (!done.ok) return done;
  addNotice(store, done.value.sentence, {level: 'info', key});
  return undefined;
}

/** Asks first if something would be lost. The session ends, and one in the source takes its place. */
async function remove(
  record: WorktreeRecord,
  {session: key, agreed}: EffectOf<'finish_worktree'>,
  context: EffectContext,
): Promise<EffectOutcome> {
  const {sessions, store, settings, optionsForAgent} = context;
  const {state} = settings;
  const [{isKnown, lossesOf, removeWorktree}, {readRecord}] = await Promise.all([
    import('../../worktrees/remove-worktree.ts'),
    import('../../worktrees/worktree-record.ts'),
  ]);
  const losses = await lossesOf(record, state);
  if (!losses.ok) return losses;
  const {sentence, uncommitted, commits} = losses.value;
  const tab = store.latest().sessions[key];
  const lost = tab ? lostByClosing(tab) : [];
  const note = [
    ...(sentence === undefined ? [] : [`${sentence} The last state is kept for 14 days.`]),
    ...(lost.length > 0 ? [`Lost with the session: ${lost.join(', ')}.`] : []),
  ].join(' ');
  if (note !== '' && !(agreed && isKnown(losses.value, agreed))) {
    const {name} = record;
    return showPicker(context, removeWorktreePicker(key, {name, note, agreed: {uncommitted, commits}}));
  }
  const base = sessions.optionsOf(key);
  const cwd = join(record.source, record.prefix);
  const {additionalDirectories} = base;
  // In the background, it would go on in a folder that is gone.
  if (tab?.isAttached) await sessions.clientOf(key).close();
  const options = optionsOfNew(base, optionsForAgent, {cwd, additionalDirectories});
  void sessions.open({options}, {isBehind: store.latest().active !== key});
  // One without a prompt was replaced, and ends with that.
  if (tab) await sessions.leave(key);
  const removed = await removeWorktree(record, {state, agreed: agreed ?? {uncommitted, commits}});
  // A session without a prompt may have taken it along.
  if (!removed.ok && readRecord(state, record.name)) return removed;
  const said = removed.ok ? removed.value.sentence : `Removed the worktree ${record.name}.`;
  addNotice(store, said, {level: 'info'});
  return undefined;
}
