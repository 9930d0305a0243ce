import type {Attachment} from '../session/content/attachment.ts';
import {customCall} from '../session/content/custom-command.ts';
import {emptyQueue, unsentPrompts, type QueueState} from '../session/queue/queue.ts';
import type {QueueChange} from '../session/queue/queue-changes.ts';
import type {NewPrompt, PromptAttachment} from '../session/queue/queued-prompt.ts';
import {draftAfterSending, draftFiles, draftText, emptyDraft, isEmpty, type Draft} from './editor/draft.ts';
import {prependDraft, prependToDraft} from './editor/insert.ts';
import {callAction, emitEvent, combine, type Reaction} from './effects.ts';
import type {AppState, Tab, SessionKey} from './state.ts';
import {typedText} from './requests/form-state.ts';

/** The session that the window shows. */
export function activeSession(state: AppState): Tab {
  const tab = state.sessions[state.active];
  if (!tab) throw new Error(`no session ${state.active}`);
  return tab;
}

/** Changes one session; the same state if it is not open, or did not change. */
export function changeSession(state: AppState, key: SessionKey, change: (tab: Tab) => Tab): AppState {
  const tab = state.sessions[key];
  const changed = tab && change(tab);
  if (!changed || changed === tab) return state;
  return {...state, sessions: {...state.sessions, [key]: changed}};
}

/** Returns the active draft: the note's while one is typed, otherwise the prompt's. */
export function activeDraft(state: AppState): Draft {
  const {draft, note} = activeSession(state);
  return state.focus.kind === 'note' && note ? note.draft : draft;
}

/** Changes the active draft of a session. */
export function changeActiveDraft(
  state: AppState,
  key: SessionKey,
  change: (draft: Draft) => Draft,
): AppState {
  return changeSession(state, key, (tab) => {
    const {note} = tab;
    if (state.focus.kind === 'note' && note) return {...tab, note: {...note, draft: change(note.draft)}};
    const draft = change(tab.draft);
    if (draft === tab.draft) return tab;
    return {...tab, draft, editedPlace: isEmpty(draft) ? undefined : tab.editedPlace};
  });
}

/** Puts an obsolete note in front of the draft, so that nothing typed is lost. */
export function moveNoteToDraft(tab: Tab): Tab {
  if (!tab.note) return tab;
  return {...tab, note: undefined, draft: prependDraft(tab.draft, tab.note.draft)};
}

/** Stashes the draft, and restores the one that was stashed. */
export function swapStash(tab: Tab): Tab {
  const {draft, stash = draftAfterSending(draft)} = tab;
  return {...tab, draft: stash, stash: isEmpty(draft) ? undefined : draft, editedPlace: undefined};
}

/** Puts a stashed draft in front of the draft, with its files. */
function moveStashToDraft(tab: Tab): Tab {
  const {stash, draft} = tab;
  return stash ? {...tab, draft: prependDraft(draft, stash)} : tab;
}

/** Puts the texts of forms that nobody answers any more in front of the draft. */
export function moveFormsToDraft(tab: Tab, isGone: (id: string) => boolean = () => true): Tab {
  const forms = Object.entries(tab.forms);
  const gone = forms.filter(([id]) => isGone(id));
  if (gone.length === 0) return tab;
  const texts = gone.map(([, form]) => typedText(form)).filter((text) => text !== '');
  return {
    ...tab,
    forms: Object.fromEntries(forms.filter(([id]) => !isGone(id))),
    draft: prependToDraft(tab.draft, texts.join('\n')),
  };
}

/** Text that was typed and not sent. */
export interface UnsentInput {
  readonly draft: string;
  readonly queue: readonly string[];
  /** Undefined if there are none. */
  readonly files?: UnsentParts<Attachment> | undefined;
  /** Command outputs. Undefined if there are none. */
  readonly outputs?: UnsentParts<PromptAttachment> | undefined;
}

/** What belongs to the draft, and to each queued prompt, in order. */
interface UnsentParts<Part> {
  readonly draft: readonly Part[];
  readonly queue: readonly (readonly Part[])[];
}

/**
 * Returns everything that was typed and not sent, for the journal. Several sessions are restored into one, in order, with the drafts after the first as queued
 * prompts; outputs stay with their prompt.
 */
export function collectUnsent(...sessions: readonly Tab[]): UnsentInput {
  const folded = sessions.map((tab) => moveFormsToDraft(moveNoteToDraft(moveStashToDraft(tab))));
  const [first, ...others] = folded.filter(({draft}) => draft.text.trim() !== '');
  const draft = first?.draft ?? emptyDraft;
  const prompts = [
    ...folded.flatMap((tab) => unsentPrompts(ownQueue(tab))),
    ...others.map((tab) => ({
      text: draftText(tab.draft),
      files: draftFiles(tab.draft),
      outputs: ownQueue(tab).outputs,
    })),
  ];
  const waiting = folded.filter((tab) => !others.includes(tab));
  return toUnsent(prompts, {
    text: draftText(draft),
    files: draftFiles(draft),
    outputs: waiting.flatMap((tab) => ownQueue(tab).outputs),
  });
}

/** The queue of a session in the background service is not this window's. */
function ownQueue({isAttached, session}: Tab): QueueState {
  return isAttached ? emptyQueue : session.queue;
}

/** Returns prompts and a draft as they are stored. */
export function toUnsent(
  prompts: readonly Omit<NewPrompt, 'content'>[],
  draft: Required<Pick<NewPrompt, 'text' | 'files' | 'outputs'>>,
): UnsentInput {
  const files = {draft: draft.files, queue: prompts.map((prompt) => prompt.files ?? [])};
  const outputs = {draft: draft.outputs, queue: prompts.map((prompt) => prompt.outputs ?? [])};
  return {
    draft: draft.text,
    queue: prompts.map(({text}) => text),
    ...([files.draft, ...files.queue].some((list) => list.length > 0) && {files}),
    ...([outputs.draft, ...outputs.queue].some((list) => list.length > 0) && {outputs}),
  };
}

/** Restores unsent text of an earlier run: its prompts are paused. */
export function restoreUnsent(key: SessionKey, unsent: UnsentInput): Reaction {
  const {draft, files} = unsent;
  return combine(
    emitEvent({type: 'draft_restored', key, text: draft, files: files?.draft ?? []}),
    callAction(key, 'changeQueue', restoreQueueChange(unsent)),
  );
}

/** Returns the change that puts what was not sent back into a queue, paused. */
export function restoreQueueChange({queue, files, outputs}: UnsentInput): QueueChange {
  const prompts = queue.map((text, index) => ({
    text,
    content: [{type: 'text' as const, text}],
    files: files?.queue[index] ?? [],
    outputs: outputs?.queue[index] ?? [],
  }));
  return {kind: 'restore', prompts, outputs: outputs?.draft ?? [], isPaused: true};
}

/** The pause in typing after which a panel may take the focus by itself, in milliseconds. */
export const QUIET_MS = 500;

/** True if taking the focus cannot catch keys that were meant for the prompt. */
export function isQuiet(state: AppState, at: number): boolean {
  return (
    state.board === undefined &&
    state.focus.kind === 'prompt' &&
    state.overlay.kind === 'none' &&
    isEmpty(activeSession(state).draft) &&
    at - state.lastTypedAt >= QUIET_MS
  );
}

/** True if the user has typed something since, or shows another session: nothing that comes late may take the keys now. */
export function hasGoneOn(before: AppState, now: AppState): boolean {
  if (now.active !== before.active) return true;
  const [tab, old] = [activeSession(now), activeSession(before)];
  const typed = typedInOverlay(now);
  return (
    (['draft', 'note', 'forms'] as const).some((part) => tab[part] !== old[part]) ||
    (now.board !== undefined && now.board.draft !== before.board?.draft) ||
    (typed !== undefined && typed !== typedInOverlay(before))
  );
}

function typedInOverlay({overlay}: AppState): string | Draft | undefined {
  if (overlay.kind === 'picker') return overlay.picker.filter || undefined;
  return overlay.kind === 'review' ? overlay.typing?.draft : undefined;
}

/** The duration of a toast, in milliseconds. */
export const TOAST_MS = 5000;

/** True for a session that runs the commands of a custom command before its prompt is sent. */
export function runsItsCommands({session}: Tab): boolean {
  const {isSending, lastPrompt} = session.queue;
  if (!isSending || !lastPrompt || lastPrompt.isAgents || session.turn.kind !== 'idle') return false;
  return customCall(lastPrompt.text, session.customCommands) !== undefined;
}
