import type {AppState, SessionKey} from '../../app/state.ts';
import type {SessionStorage, WindowOptions} from '../effects/effect-context.ts';

interface Marking extends Pick<WindowOptions, 'store'> {
  readonly storage: {
    readonly recording: Pick<SessionStorage['recording'], 'id'>;
    readonly sessions: Pick<SessionStorage['sessions'], 'markRead'>;
  };
}

/** Marks the session on the screen as read, whenever it gets there or a turn of it ends. Returns the function to stop. */
export function markRead({store, storage}: Marking): () => void {
  let shown: SessionKey | undefined;
  const follow = ({active, board}: AppState, ended?: SessionKey) => {
    const before = shown;
    shown = board ? undefined : active;
    const id =
      shown !== undefined && (shown !== before || shown === ended) ? storage.recording.id(shown) : undefined;
    if (id !== undefined) storage.sessions.markRead(id);
  };
  follow(store.latest());
  return store.onEvent((event, state) =>
    follow(state, event.type === 'session' && event.event.type === 'prompt_ended' ? event.key : undefined),
  );
}
