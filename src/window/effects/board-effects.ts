import {boardRows} from '../../app/board/board-rows.ts';
import type {NextSession} from '../../app/board/board-view.ts';
import {applyReaction} from '../../app/effects.ts';
import {emptyBoard} from '../../app/board/follow-board.ts';
import {meantIn} from '../../app/commands/behind-slashes.ts';
import {submitPrompt} from '../../app/queue/queue.ts';
import {activeSession} from '../../app/sessions.ts';
import type {SessionKey} from '../../app/state.ts';
import type {ConversationOptions} from '../../conversation/options.ts';
import type {Result} from '../../shared/failure.ts';
import {optionsOfNew} from '../sessions/options-beside.ts';
import {openRows} from '../sessions/open-rows.ts';
import {notify, type EffectContext, type EffectHandlers, type EffectOutcome} from './effect-context.ts';
import {resumeSession} from './session-effects.ts';
import {openInWorktree} from './worktree-effects.ts';
import {isConfinedBeside} from '../../session/settings/sandbox.ts';

/** Effects of the board, and of the keys that lead to other sessions. */
export const boardEffects = {
  async open_beside({prompt: text, next = {}}, context) {
    const {store, sessions, began} = context;
    const failed = (failure: EffectOutcome) => {
      if (text !== '') store.dispatch({type: 'new_prompt_returned', text}, 'urgent');
      return failure;
    };
    const options = optionsOfNext(next, context);
    const usable = options instanceof Promise ? await options : options;
    if (!usable.ok) return failed(usable);
    const submit = (key: SessionKey) => {
      if (text !== '')
        applyReaction(submitPrompt(key, meantIn(activeSession(began), text)), store, sessions.perform);
    };
    if (next.worktree) {
      const named = {prompt: text};
      const opened = await openInWorktree({options: usable.value, named, onAdded: submit}, context);
      return opened?.ok === false ? failed(opened) : opened;
    }
    void sessions.open({options: usable.value}, {began, onAdded: submit});
    return undefined;
  },
  /** Shows the one that has waited longest of those that can be shown here. */
  async show_waiting(_, context) {
    const {store} = context;
    const {active} = store.latest();
    const rows = boardRows(store.latest(), {...emptyBoard, stored: openRows(context)});
    let refused: EffectOutcome;
    for (const {id, key, storedId, state} of rows) {
      if (state !== 'waiting' || key === active) continue;
      if (storedId === undefined || id === key)
        return store.dispatch({type: 'session_activated', key: id}, 'urgent');
      const shown = await resumeSession({row: storedId, fork: false, isRunning: true}, context);
      if (shown?.ok !== false) return shown;
      refused ??= shown;
    }
    return refused ?? notify(context, 'No other session needs you.');
  },
} satisfies Partial<EffectHandlers>;

/** Returns the options of the next session: those of the active one, but for what was chosen. */
function optionsOfNext(
  {agent, cwd, approval, sandbox: wanted}: NextSession,
  {store, sessions, agents, optionsForAgent}: EffectContext,
): Result<ConversationOptions> | Promise<Result<ConversationOptions>> {
  const {key, session} = activeSession(store.latest());
  const base = sessions.optionsOf(key);
  const {additionalDirectories} = session;
  const {realFolders} = base;
  const folders =
    cwd === undefined
      ? {cwd: base.cwd, additionalDirectories, realFolders}
      : {cwd, additionalDirectories: []};
  const isConfined = wanted ?? isConfinedBeside(session);
  const withLevel = (options: ConversationOptions): Result<ConversationOptions> => ({
    ok: true,
    value: {...options, approval: approval ?? options.approval},
  });
  if (!agent) return withLevel(optionsOfNew(base, optionsForAgent, {...folders, isConfined}));
  return agents
    .optionsFor(agent.id, {...folders, isConfined})
    .then((found) => (found.ok ? withLevel(found.value) : found));
}
