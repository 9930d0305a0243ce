import type {SessionActions} from '../session/actions.ts';
import type {SessionEvent} from '../session/events.ts';
import {initialSession} from '../session/initial.ts';
import {reduce} from '../session/reduce.ts';
import type {SessionState} from '../session/state.ts';
import {fail, type Result} from '../shared/failure.ts';
import {readEventFile, replay, sessionFile} from '../storage/sessions/event-file.ts';
import type {SessionSnapshot} from './messages.ts';
import type {ServiceClient} from './service-client.ts';

/** A session of the service, shown in a window. */
export interface AttachedSession {
  readonly id: string;
  readonly given: SessionSnapshot['given'];
  /** Its state when the window attached. */
  readonly session: SessionState;
  /** Passes on all later events, and the loss of the service as one. Returns what a window can do with the session. */
  follow(emit: (event: SessionEvent) => void): SessionActions;
  /** True once the service is gone. */
  isLost(): boolean;
  /** Leaves it running. */
  leave(): void;
}

/**
 * Attaches to a session. Its state is read from its file, up to the event that the service names, so that it costs what resuming it costs; only what is not
 * stored comes over the socket.
 */
export async function attachSession(
  service: ServiceClient,
  id: string,
  state: string,
): Promise<Result<AttachedSession>> {
  const missed: SessionEvent[] = [];
  let emit: (event: SessionEvent) => void = (event) => void missed.push(event);
  const attached = await service.attach(id, (event) => emit(event));
  if (!attached.ok) return attached;
  const {given, live} = attached.value;
  const session = await stateOf(attached.value, state);
  if (!session.ok) return session;
  let isLost = false;
  service.onLost(() => (isLost = true));
  return {
    ok: true,
    value: {
      id,
      given,
      session: {...session.value, ...live},
      follow(listener) {
        for (const event of missed) listener(event);
        emit = listener;
        service.onLost(() => {
          const failure = {
            kind: 'connection_lost',
            exit: {code: null, signal: null},
            stderrTail: '',
          } as const;
          listener({type: 'notice', level: 'error', text: lostText(id), at: Date.now()});
          listener({type: 'connection_changed', connection: {kind: 'lost', failure}, at: Date.now()});
        });
        return actionsOf(service, id);
      },
      isLost: () => isLost,
      leave: () => service.close(),
    },
  };
}

function lostText(id: string): string {
  return `The background service has ended. acp-tui -r ${id} resumes the session.`;
}

async function stateOf(
  {given, stored, early, whole}: SessionSnapshot,
  folder: string,
): Promise<Result<SessionState>> {
  if (whole) return {ok: true, value: whole};
  const read = stored && (await readEventFile(sessionFile(folder, stored.id), stored.bytes));
  if (read && !read.ok) return read;
  const {cwd = '', additionalDirectories} = given;
  const before = read
    ? await replay(read.value)
    : initialSession({cwd, additionalDirectories, at: early[0]?.at ?? Date.now()});
  return {ok: true, value: early.reduce(reduce, before)};
}

/** Each action is a call; after the service is gone it fails. */
function actionsOf(service: ServiceClient, id: string): SessionActions {
  const call = async (action: keyof SessionActions, args: readonly unknown[]): Promise<unknown> => {
    try {
      return await service.call({id, action, args});
    } catch {
      return fail({kind: 'not_offered', what: 'this session', why: lostText(id)});
    }
  };
  return new Proxy({} as SessionActions, {
    get: (_, action) =>
      // It is no promise.
      action === 'then'
        ? undefined
        : (...args: readonly unknown[]) => call(action as keyof SessionActions, args),
  });
}
