import {isAbsolute, resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {intendedCall, intendedSession, intendedUpdate} from '../../agents/quirks.ts';
import {locateDiffs} from '../../host/files/locate-diffs.ts';
import type {Host, PermissionPrompt} from '../../host/services.ts';
import type {SessionEvent, Update, UpdateOf} from '../../session/events.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import {toolCall as knownCall} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import {isJsonObject, jsonOf} from '../../text/json.ts';
import {identifyRequest, unnestUpdate, type RoutedUpdate} from '../../session/subagents/nested.ts';
import {isSubagent, sessionOf} from '../../session/subagents/tree.ts';
import type {ConversationOptions, SessionSink} from '../options.ts';
import {textOfPart} from '../../session/transcript/content.ts';
import {isCallUpdate} from '../../session/transcript/tool-status.ts';

/**
 * Routes a `session/update` to its session on a connection, directly or through a subagent. Updates may arrive before the response with the session's id, or
 * before a subagent is announced: those are buffered. Updates of sessions that are not open are logged, never delivered to another one.
 */
export interface UpdateRouter<Session extends RoutedSession> {
  readonly receive: (sessionId: acp.SessionId, update: Update) => void;
  /** Adds a session that the user opens. */
  join(session: Session): SessionRoute;
  /** Returns the session with this id, or the one that is about to get it, or has a subagent with it. */
  owner(sessionId: acp.SessionId): Session | undefined;
}

/** A session that is open or being opened. */
interface RoutedSession {
  readonly deliver: (sessionId: acp.SessionId, update: Update) => void;
  /** True for the session of a known subagent. */
  readonly isSubagent: (sessionId: acp.SessionId) => boolean;
  /** The ids of all subagents. */
  readonly subagents: () => readonly acp.SessionId[];
}

/** By provider; undefined for one that is disabled. */
export type ProviderConfigs = Map<acp.ProviderId, acp.SetProviderRequest | undefined>;

/** The session that serves an agent's requests: files, commands, permissions, and the state in which its messages are interpreted. */
export interface ServedSession {
  readonly options: ConversationOptions;
  readonly sink: SessionSink;
  readonly host: Host;
  /** See `ConversationContext`. */
  readonly isWaiting: boolean;
  readonly providers: ProviderConfigs;
}

/** A session that uses an agent. */
export interface AgentMember extends RoutedSession {
  readonly served: ServedSession;
  /** Called when another session has signed in; if the agent was restarted for that, it has to be joined again. */
  readonly signedIn: (how: {readonly hasRestarted: boolean}) => void;
  /** Called when another session has signed out, and possibly deleted the values that the agent was started with. */
  readonly signedOut: (how: {readonly areValuesDeleted: boolean}) => void;
}

/** A session's route on its agent's connection. */
export interface SessionRoute {
  /** A session is about to be opened, with this id if it is known: updates of unknown sessions are buffered. */
  expect(sessionId?: acp.SessionId): void;
  /** `sessionId` is now the open session; its buffered updates are delivered at once. */
  open(sessionId: acp.SessionId): void;
  /** No session is open: loading failed. */
  close(): void;
  /** Stops delivery: later updates are logged. */
  leave(): void;
}

/** Limits for updates before their session is open or their subagent announced: number, and total size in UTF-16 units. */
const MAX_EARLY = {updates: 10_000, length: 16 * 1024 * 1024} as const;

interface Route<Session> {
  readonly session: Session;
  openId: acp.SessionId | undefined;
  isExpecting: boolean;
  expectedId: acp.SessionId | undefined;
}

export function createUpdateRouter<Session extends RoutedSession>(
  stray: (sessionId: acp.SessionId, update: Update) => void,
): UpdateRouter<Session> {
  const routes = new Set<Route<Session>>();
  /** Sessions no longer open here, which their agent may still continue. */
  const ended = new Set<acp.SessionId>();
  const early = createEarlyUpdates(stray);

  const isExpected = () => [...routes].some(({isExpecting}) => isExpecting);

  function receive(sessionId: acp.SessionId, update: Update): void {
    const route = routeOf(routes, sessionId);
    if (route) {
      route.session.deliver(sessionId, update);
      if (update.sessionUpdate === 'subagent_update') release(update.sessionId);
      return;
    }
    if (!isExpected() && ended.has(sessionId)) return stray(sessionId, update);
    early.keep(sessionId, update);
    if (!isExpected()) early.report();
  }

  /** Delivers buffered updates of a session or subagent, in order. */
  function release(sessionId: acp.SessionId): void {
    if (!routeOf(routes, sessionId)) return;
    for (const update of early.take(sessionId)) receive(sessionId, update);
  }

  function end({openId, session}: Route<Session>): void {
    if (openId !== undefined) for (const id of [openId, ...session.subagents()]) ended.add(id);
  }

  function open(route: Route<Session>, sessionId: acp.SessionId): void {
    if (route.openId !== sessionId) end(route);
    ended.delete(sessionId);
    Object.assign(route, {openId: sessionId, isExpecting: false, expectedId: undefined});
    for (const id of [sessionId, ...early.ids()]) release(id);
    if (!isExpected()) early.report();
  }

  function join(session: Session): SessionRoute {
    const route: Route<Session> = {session, openId: undefined, isExpecting: false, expectedId: undefined};
    routes.add(route);
    return {
      expect: (expectedId) => void Object.assign(route, {isExpecting: true, expectedId}),
      open: (sessionId) => open(route, sessionId),
      close: () => void Object.assign(route, {openId: undefined, isExpecting: false, expectedId: undefined}),
      leave() {
        end(route);
        routes.delete(route);
      },
    };
  }

  return {receive, join, owner: (sessionId) => ownerOf(routes, sessionId)};
}

interface EarlyUpdate {
  readonly sessionId: acp.SessionId;
  readonly update: Update;
  readonly length: number;
}

/** A buffer of updates of unknown sessions, in order. When it is full, the oldest of the session that came first are dropped. */
function createEarlyUpdates(stray: (sessionId: acp.SessionId, update: Update) => void) {
  const kept = new Map<acp.SessionId, EarlyUpdate[]>();
  const unreported = new Set<EarlyUpdate>();
  let [count, total] = [0, 0];

  function report(early: EarlyUpdate): void {
    if (unreported.delete(early)) stray(early.sessionId, early.update);
  }

  function removed(early: EarlyUpdate): Update {
    count -= 1;
    total -= early.length;
    unreported.delete(early);
    return early.update;
  }

  function makeRoom(length: number): void {
    for (const [sessionId, early] of kept) {
      while (count >= MAX_EARLY.updates || total + length > MAX_EARLY.length) {
        const oldest = early.shift();
        if (!oldest) break;
        report(oldest);
        removed(oldest);
      }
      if (early.length > 0) return;
      kept.delete(sessionId);
    }
  }

  return {
    keep(sessionId: acp.SessionId, update: Update): void {
      const {length} = JSON.stringify(update);
      if (length > MAX_EARLY.length) return stray(sessionId, update);
      makeRoom(length);
      const early = {sessionId, update, length};
      kept.set(sessionId, kept.get(sessionId) ?? []);
      kept.get(sessionId)?.push(early);
      unreported.add(early);
      count += 1;
      total += length;
    },
    take(sessionId: acp.SessionId): readonly Update[] {
      const early = kept.get(sessionId) ?? [];
      kept.delete(sessionId);
      return early.map(removed);
    },
    ids: () => [...kept.keys()],
    /** Reports each of them once. */
    report: () => unreported.forEach(report),
  };
}

type Routes<Session> = ReadonlySet<Route<Session>>;

function routeOf<Session extends RoutedSession>(
  routes: Routes<Session>,
  sessionId: acp.SessionId,
): Route<Session> | undefined {
  const open = [...routes].filter(({openId}) => openId !== undefined);
  const own = open.find(({openId}) => openId === sessionId);
  if (own) return own;
  // If two sessions claim the same subagent, neither may decide for it.
  const [route, ...others] = open.filter(({session}) => session.isSubagent(sessionId));
  return others.length === 0 ? route : undefined;
}

function ownerOf<Session extends RoutedSession>(
  routes: Routes<Session>,
  sessionId: acp.SessionId,
): Session | undefined {
  const expected = () => [...routes].find(({expectedId}) => expectedId === sessionId);
  return (routeOf(routes, sessionId) ?? expected())?.session;
}

/** Delivers an update to its session or subagent; the host is notified of tool calls. `greeting` is that of the agent, see `AgentRun`. */
export function deliverUpdate(
  served: ServedSession,
  routed: RoutedUpdate,
  greeting: string | undefined,
): void {
  const {sink, host} = served;
  const sessionId = intendedSession(routed, sink.state().agent?.name);
  const update = withoutGreeting(readableUpdate(served, routed), greeting);
  const {replay = sink.state()} = sink.state();
  for (const each of unnestUpdate(replay, {sessionId, update})) {
    if (each.update.sessionUpdate === 'agent_message_chunk') host.agentSpoke(each.sessionId);
    sink.emit(updateEvent(sink.state(), each));
    if (isCallUpdate(each.update)) host.toolCallUpdated(each.sessionId, each.update);
  }
}

/** Turns the agent's greeting into a notice: it answers no prompt, even if it arrives after the first one. */
function withoutGreeting(update: Update, greeting: string | undefined): Update {
  const isGreeting =
    greeting !== undefined &&
    update.sessionUpdate === 'agent_message_chunk' &&
    update.content.type === 'text' &&
    update.content.text === greeting;
  return isGreeting ? {sessionUpdate: 'notice', severity: 'info', title: greeting.trim()} : update;
}

/** Returns the event of an update: for a subagent if the session is one, else for the session itself. */
export function updateEvent(
  state: SessionState,
  {sessionId, update}: {readonly sessionId: string; readonly update: Update},
): SessionEvent {
  const at = Date.now();
  return isSubagent(state, sessionId)
    ? {type: 'subagent_updated', sessionId, update, at}
    : {type: 'session_update', update, at};
}

/** Returns an update without the agent's quirks, with line numbers for its diffs and text for its plan. */
function readableUpdate(served: ServedSession, {sessionId, update}: RoutedUpdate): Update {
  const {host, sink} = served;
  if (update.sessionUpdate === 'plan_update') return withPlanText(update, host);
  const intended = intendedUpdate(update, sink.state().agent?.name);
  if (!isCallUpdate(intended)) return intended;
  return {...intended, ...placesOf(served, sessionId, intended)} as Update;
}

/** Replaces a plan in a file by the file's text, if it may be read. */
function withPlanText(update: UpdateOf<'plan_update'>, host: Pick<Host, 'readPlan'>): Update {
  const {plan} = update;
  const file = plan.type === 'file' ? host.readPlan(plan.uri) : undefined;
  if (!file) return update;
  const content = `\`${file.name}\`\n\n${file.text}`;
  return {...update, plan: {type: 'markdown', planId: plan.planId, content}};
}

/** Returns a permission request without the agent's quirks, with its call's own ID and line numbers for its diffs. */
export function readableRequest(served: ServedSession, prompt: PermissionPrompt): PermissionPrompt {
  const {request} = intendedRequest(served.sink.state(), prompt);
  const toolCall = {...request.toolCall, ...placesOf(served, request.sessionId, request.toolCall)};
  return {...prompt, request: {...request, toolCall}};
}

/** Returns a permission request without the agent's quirks, with its call's own ID, in the state in which it arrives. */
export function intendedRequest(state: SessionState, asked: PermissionPrompt): PermissionPrompt {
  const {replay = state} = state;
  const request = identifyRequest(replay, asked.request);
  const known = knownCall(sessionOf(replay, request.sessionId), request.toolCall.toolCallId);
  const toolCall = intendedCall(withInput(request.toolCall, known), state.agent?.name);
  return {...asked, request: {...request, toolCall}};
}

/** Returns a request's call with the input of its tool, which some agents send as JSON text in the content of the call until it runs. */
function withInput(call: acp.ToolCallUpdate, known: ToolCallEntry | undefined): acp.ToolCallUpdate {
  if (!isBlank(call.rawInput) || !isBlank(known?.rawInput)) return call;
  const content = call.content ?? known?.content ?? [];
  const inputOf = (part: acp.ToolCallContent) => jsonOf(textOfPart(part) ?? '');
  const rawInput = [...content, ...(known?.content ?? [])].map(inputOf).find(isJsonObject);
  return rawInput
    ? {...call, rawInput, content: content.filter((part) => !isJsonObject(inputOf(part)))}
    : call;
}

function isBlank(rawInput: unknown): boolean {
  return (
    rawInput === undefined ||
    rawInput === null ||
    (isJsonObject(rawInput) && Object.keys(rawInput).length === 0)
  );
}

type Places = Pick<acp.ToolCallUpdate, 'content' | 'locations'>;

/** Locates the diffs of a tool call in their files; relative paths of a subagent refer to its own folder. */
function placesOf(
  {sink, options}: ServedSession,
  sessionId: acp.SessionId,
  {content, locations}: Places,
): Places {
  const state = sink.state();
  const own = isSubagent(state, sessionId) ? sessionOf(state, sessionId).cwd : undefined;
  const inFolder = <Part extends {readonly path: string}>(part: Part): Part =>
    own === undefined || isAbsolute(part.path) ? part : {...part, path: resolve(own, part.path)};
  const parts = content?.map((part) => (part.type === 'diff' ? inFolder(part) : part));
  return {
    ...(parts && {content: locateDiffs(parts, options.cwd)}),
    ...(locations && {locations: locations.map(inFolder)}),
  };
}
