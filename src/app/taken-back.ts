import type {AppEventOf} from './events.ts';
import {restored, takeBack} from './prompt/insert.ts';
import {takeFree} from './queue.ts';
import {withQueue} from './sending.ts';
import {changeSession} from './sessions.ts';
import type {AppState} from './state.ts';

/** A queued prompt goes back into the draft, with all that goes along with it. */
export function queueEdited(state: AppState, {key, id, at}: AppEventOf<'queue_edited'>): AppState {
  const edited = changeSession(state, key, (open) => {
    const found = takeFree(open.queue, id);
    if (!found) return open;
    return {
      ...withQueue(open, found.queue),
      editedPlace: open.queue.indexOf(found.prompt),
      outputs: [...(found.prompt.outputs ?? []), ...open.outputs],
      draft: takeBack(open.draft, found.prompt.text, found.prompt.files),
    };
  });
  return {...edited, lastTypedAt: at};
}

/** What an earlier run left unsent waits for Enter; what was typed in this one goes before it. */
export function journalLoaded(
  state: AppState,
  {key, draft, queue, files, outputs}: AppEventOf<'journal_loaded'>,
): AppState {
  const old = queue.map((text, index) => ({
    id: `prompt-${state.serial + index}`,
    text,
    content: [{type: 'text' as const, text}],
    files: files?.queue[index] ?? [],
    outputs: outputs?.queue[index] ?? [],
  }));
  return changeSession({...state, serial: state.serial + queue.length}, key, (open) => ({
    ...open,
    draft: draft === '' ? open.draft : restored(open.draft, draft, files?.draft),
    outputs: [...(outputs?.draft ?? []), ...open.outputs],
    queue: [...open.queue.map((prompt) => ({...prompt, direct: true})), ...old],
    queueHeld: open.queueHeld || old.length > 0,
  }));
}
