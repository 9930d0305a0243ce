import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Failure, Result} from '../../../../src/shared/failure.ts';
import type {PrintConversation} from '../../../../src/modes/print/print-conversation.ts';
import type {DeniedRequest} from '../../../../src/host/services.ts';
import type {WireMessage} from '../../../../src/protocol/handlers-interface.ts';
import type {SessionEvent, Update} from '../../../../src/session/events.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import {createStore} from '../../../../src/shared/store.ts';

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/** Actions of the agent during its turn. */
export interface FakeAgent {
  readonly content: readonly acp.ContentBlock[];
  update(update: Update): void;
  say(text: string, messageId?: string): void;
  emit(event: Unstamped<SessionEvent>): void;
  wire(line: string, direction?: WireMessage['direction']): void;
  deny(request: DeniedRequest): void;
  /** Time passes, in milliseconds. */
  takes(ms: number): void;
  /** Resolves when the runner cancels the turn. */
  readonly cancelled: Promise<void>;
  /** What a transport awaits before it reads on. */
  pace(): Promise<void> | undefined;
}

/** How the turn ends; `never` is an agent that does not respond. */
export type Turn = (agent: FakeAgent) => Promise<acp.StopReason | Failure | 'never'>;

export interface FakeConversationOptions {
  readonly turn: Turn;
  readonly opening?: Failure;
  readonly capabilities?: acp.AgentCapabilities;
  /** The conversation that the agent replays while the session is loaded. */
  readonly replayed?: readonly Unstamped<SessionEvent>[];
  /** Updates between the opened session and the prompt. */
  readonly banner?: string;
  readonly usage?: acp.Usage;
  /** Why the agent exits once the session is open. */
  readonly lost?: Failure;
  /** Never finishes opening. */
  readonly hangsAtStart?: boolean;
  /** Never finishes closing. */
  readonly hangsAtEnd?: boolean;
}

export interface FakeConversation extends PrintConversation {
  readonly prompts: (readonly acp.ContentBlock[])[];
  readonly calls: string[];
}

const agent = {label: 'fake', command: 'fake-agent', args: ['acp'], env: {}};

/** A client without an agent: the real reducer, with a script instead of a wire. */
export function createFakeConversation(options: FakeConversationOptions): FakeConversation {
  const store = createStore(reduce, initialSession({cwd: '/project', additionalDirectories: [], at: 0}));
  const wireListeners = new Set<(message: WireMessage) => void>();
  const denied: DeniedRequest[] = [];
  const prompts: (readonly acp.ContentBlock[])[] = [];
  const calls: string[] = [];
  const cancelled = Promise.withResolvers<void>();
  let pace: () => Promise<void> | undefined = () => undefined;
  let at = 0;

  const emit = (event: Unstamped<SessionEvent>) => store.dispatch({...event, at: ++at});
  const update = (update: Update) => emit({type: 'session_update', update});
  const say = (text: string, messageId?: string) =>
    update({
      sessionUpdate: 'agent_message_chunk',
      content: {type: 'text', text},
      ...(messageId !== undefined && {messageId}),
    });

  async function open(): Promise<Result<void>> {
    calls.push('open');
    if (options.hangsAtStart) await new Promise(() => {});
    if (options.opening) return {ok: false, failure: options.opening};
    emit({
      type: 'agent_initialized',
      fallbackName: 'fake',
      response: {
        protocolVersion: 1,
        agentInfo: {name: 'fake-agent', title: 'Fake Agent', version: '1.2.3'},
        agentCapabilities: options.capabilities ?? {},
      },
    });
    if (options.replayed) emit({type: 'replay_started'});
    for (const event of options.replayed ?? []) emit(event);
    emit({
      type: 'session_opened',
      how: options.replayed ? 'load' : 'new',
      session: {sessionId: 'session-1', cwd: '/project', additionalDirectories: []},
    });
    emit({type: 'connection_changed', connection: {kind: 'ready'}});
    if (options.banner !== undefined) say(options.banner);
    if (options.lost) emit({type: 'connection_changed', connection: {kind: 'lost', failure: options.lost}});
    return {ok: true, value: undefined};
  }

  async function prompt(content: readonly acp.ContentBlock[]): Promise<void> {
    prompts.push(content);
    emit({type: 'prompt_started', turn: 1, content});
    const wire: FakeAgent['wire'] = (line, direction = 'from_agent') => {
      for (const listener of wireListeners) listener({direction, at: ++at, line});
    };
    const end = await options.turn({
      content,
      update,
      say,
      emit,
      wire,
      deny: (request) => void denied.push(request),
      takes: (ms) => void (at += ms),
      cancelled: cancelled.promise,
      pace: () => pace(),
    });
    if (end === 'never') return;
    const outcome =
      typeof end === 'string'
        ? ({kind: 'stopped', stopReason: end} as const)
        : ({kind: 'failed', failure: end} as const);
    emit({type: 'prompt_ended', turn: 1, outcome, usage: options.usage ?? null});
  }

  return {
    agent,
    open,
    onEvent: (listener) => store.onEvent(listener),
    state: () => store.latest(),
    ownState: () => store.latest(),
    onWire(listener) {
      wireListeners.add(listener);
      return () => wireListeners.delete(listener);
    },
    paceReading: (wait) => void (pace = wait),
    denied: () => denied,
    prompt: (content) => void prompt(content),
    readable: async () => () => true,
    expand: async ({command}) => ({
      ok: true,
      value: {text: command.prompt, fill: (text) => text, isReadable: () => true},
    }),
    cancel() {
      calls.push('cancel');
      emit({type: 'cancel_requested'});
      cancelled.resolve();
    },
    async close() {
      calls.push('close');
      if (options.hangsAtEnd) await new Promise(() => {});
    },
    killNow: () => void calls.push('kill'),
    prompts,
    calls,
  };
}
