import type {WindowOptions} from '../effects/effect-context.ts';

/** Marks the session on the screen as read, whenever one is shown or a turn of it ends. Returns the function to stop. */
export function markRead({store, storage}: Pick<WindowOptions, 'store' | 'storage'>): () => void {
  const mark = () => {
    const id = storage.recording.id(store.latest().active);
    if (id !== undefined) storage.sessions.markRead(id);
  };
  mark();
  return store.onEvent((event, {active}) => {
    const hasEnded = event.type === 'session' && event.key === active && event.event.type === 'prompt_ended';
    if (hasEnded || event.type === 'session_activated') mark();
  });
}
