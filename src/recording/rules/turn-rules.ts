import {itemsOf, textOf} from '../exchanges.ts';
import {
  sessionIn,
  updateIn,
  type Violation,
  type Rule,
  type ProtocolEvent,
  type ProtocolEventOf,
} from './rule.ts';

const OF_A_TURN = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
]);

/**
 * Updates of a turn precede the response to its prompt, as "Cancellation" requires. Otherwise an update outside of a turn is allowed, but easily shown in the
 * wrong place.
 */
export const withinTurn: Rule = {
  name: 'within-turn',
  page: 'prompt-turn#cancellation',
  isOfVersion1: true,
  find(events) {
    /** The number of pending requests that cause updates, and whether the last turn was cancelled. */
    const sessions = new Map<string, {busy: number; cancelled: boolean}>();
    const of = (sessionId: string) => {
      const known = sessions.get(sessionId) ?? {busy: 0, cancelled: false};
      sessions.set(sessionId, known);
      return known;
    };
    /** Sessions of subagents, which may continue after their parent's turn. */
    const subagents = new Set<string>();
    /** Requests that open a session: until their response, another rule checks the updates for it and its subagents. */
    let opening = 0;
    return events.flatMap((protocolEvent): readonly Violation[] => {
      if (
        protocolEvent.from === 'client' &&
        protocolEvent.kind === 'request' &&
        isOpening(protocolEvent.method)
      )
        opening++;
      if (protocolEvent.kind === 'answer' && isOpening(protocolEvent.method)) opening--;
      if (
        protocolEvent.from === 'client' &&
        protocolEvent.kind === 'request' &&
        isBusy(protocolEvent.method)
      ) {
        of(sessionIn(protocolEvent.params)).busy++;
      }
      if (protocolEvent.kind === 'answer' && isBusy(protocolEvent.method)) {
        const session = of(sessionIn(protocolEvent.params));
        session.busy--;
        session.cancelled = protocolEvent.result?.['stopReason'] === 'cancelled';
      }
      const notification = updateIn(protocolEvent);
      if (notification?.kind === 'subagent_update') subagents.add(sessionIn(notification.update));
      if (!notification || !OF_A_TURN.has(notification.kind) || subagents.has(notification.sessionId))
        return [];
      const {busy, cancelled} = of(notification.sessionId);
      if (busy > 0 || opening > 0) return [];
      return cancelled
        ? [{index: notification.index, text: 'it was sent after the answer to the cancelled prompt'}]
        : [{index: notification.index, text: 'it was sent outside of a turn', isLegal: true}];
    });
  },
};

function isBusy(method: string): boolean {
  return method === 'session/prompt' || method === 'session/load' || method === '_session/steering';
}

function isOpening(method: string): boolean {
  return method === 'session/new' || method === 'session/load' || method === 'session/fork';
}

/** Time limit for responding to a cancelled prompt, in milliseconds. */
export const CANCEL_LIMIT_MS = 5000;
/** A response within this time, in milliseconds, was already on its way when the cancel was sent. */
export const CROSSED_MS = 50;

interface OpenPrompt {
  readonly sessionId: string;
  cancelled?: {readonly index: number; readonly t: number};
}

/** A cancelled prompt gets a response soon, with `cancelled`. */
export const cancelledPrompt: Rule = {
  name: 'cancelled-prompt',
  page: 'prompt-turn#cancellation',
  find(events) {
    const open = new Map<number, OpenPrompt>();
    const found = events.flatMap((protocolEvent): readonly Violation[] => {
      follow(open, protocolEvent);
      if (protocolEvent.kind !== 'answer') return [];
      const prompt = open.get(protocolEvent.asked);
      open.delete(protocolEvent.asked);
      const text = prompt?.cancelled && problemWith(protocolEvent, protocolEvent.t - prompt.cancelled.t);
      return text === undefined ? [] : [{index: protocolEvent.index, text}];
    });
    const end = events.at(-1)?.t ?? 0;
    const never = [...open.values()].flatMap(({cancelled}) =>
      cancelled && end - cancelled.t >= CANCEL_LIMIT_MS
        ? [{index: cancelled.index, text: 'the cancelled prompt was never answered'}]
        : [],
    );
    return [...found, ...never];
  },
};

/** A cancel with several pending prompts is ambiguous, and not checked. */
function follow(open: Map<number, OpenPrompt>, protocolEvent: ProtocolEvent): void {
  if (protocolEvent.from !== 'client') return;
  if (protocolEvent.kind === 'request' && protocolEvent.method === 'session/prompt')
    open.set(protocolEvent.index, {sessionId: sessionIn(protocolEvent.params)});
  if (protocolEvent.kind !== 'notification' || protocolEvent.method !== 'session/cancel') return;
  const ofSession = [...open.values()].filter(({sessionId}) => sessionId === sessionIn(protocolEvent.params));
  const [only] = ofSession;
  if (only && ofSession.length === 1) only.cancelled ??= {index: protocolEvent.index, t: protocolEvent.t};
}

function problemWith({result}: ProtocolEventOf<'answer'>, ms: number): string | undefined {
  if (ms < CROSSED_MS) return undefined;
  if (!result) return 'the cancelled prompt was answered with an error';
  const {stopReason} = result;
  if (stopReason !== 'cancelled')
    return `the cancelled prompt was answered with ${JSON.stringify(stopReason) ?? 'nothing'}`;
  return ms > CANCEL_LIMIT_MS
    ? `the cancelled prompt was answered only after ${Math.round(ms / 1000)} s`
    : undefined;
}

/** The options of a permission request are distinguishable by id, and by kind for clients that decide by kind. */
export const permissionChoices: Rule = {
  name: 'permission-choices',
  page: 'tool-calls#requesting-permission',
  find: (events) =>
    events.flatMap((protocolEvent): readonly Violation[] => {
      if (protocolEvent.kind !== 'request' || protocolEvent.method !== 'session/request_permission')
        return [];
      const {index} = protocolEvent;
      const options = itemsOf(protocolEvent.params['options']);
      const ids = twice(options.map(({optionId}) => optionId));
      const kinds = twice(options.map(({kind}) => kind));
      const canReject = options.some(({kind}) => textOf(kind)?.startsWith('reject'));
      return [
        ...ids.map((id) => ({index, text: `two options have the id ${JSON.stringify(id)}`})),
        ...kinds.map((kind) => ({index, text: `several options are of the kind ${kind}`, isLegal: true})),
        ...(canReject ? [] : [{index, text: 'no option rejects', isLegal: true}]),
      ];
    }),
};

function twice(values: readonly unknown[]): readonly string[] {
  const texts = values.flatMap((value) => textOf(value) ?? []);
  return [...new Set(texts.filter((text, at) => texts.indexOf(text) !== at))];
}
