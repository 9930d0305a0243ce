import type * as acp from '@agentclientprotocol/sdk/unstable';
import {intendedSession, intendedUpdate} from '../../agents/quirks.ts';
import {readElicitationRequest} from '../../host/elicitation/elicit.ts';
import {answersOf} from '../../host/elicitation/pending-elicitations.ts';
import {normalizeWith, type Normalizer} from '../../protocol/normalize/deviation.ts';
import {readPermission, readElicitation, readUpdate} from '../../protocol/normalize/messages.ts';
import {readOpenedSession} from '../../protocol/requests.ts';
import {paramsParser, resultParser} from '../../protocol/schema.ts';
import {fieldsOf, keyOf, kindOf, messageOf, methodOf, type Message} from '../../recording/exchanges.ts';
import {type RecordingLine, isStart, runsOf} from '../../recording/format.ts';
import {sessionRuns, type SessionRun} from '../../recording/session-lines.ts';
import type {OpeningMethod, SessionEvent, Update} from '../../session/events.ts';
import type {ElicitationQuestion, ElicitationOutcome} from '../../session/forms/form-request.ts';
import type {FormContent} from '../../session/forms/form-schema.ts';
import {pendingRequest} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import {endNestedSubagents, identifyQuestion, unnestUpdate} from '../../session/subagents/nested.ts';
import type {Failure} from '../../shared/failure.ts';
import {intendedRequest} from '../connection/agent-updates.ts';

/** An event without its time, which is the line's. */
type ReplayedEvent = SessionEvent extends infer Event
  ? Event extends SessionEvent
    ? Omit<Event, 'at'>
    : never
  : never;

const OPENINGS: Readonly<Record<string, OpeningMethod>> = {
  'session/new': 'new',
  'session/load': 'load',
  'session/resume': 'resume',
  'session/fork': 'fork',
};

const normalize: Normalizer = (value, deviations) => normalizeWith(value, deviations, () => {});

/** Converts the lines of a recording to session events, as a conversation would have emitted them. `before` is the number of turns so far. */
export function createReplayedEvents(before = 0): ReplayedRuns['eventsOf'] {
  const asked = new Map<string, Message>();
  const terminals = replayedTerminals();
  const updates = replayedUpdates();
  let turn = before;

  function requested(line: RecordingLine, message: Message, shown: SessionState): readonly ReplayedEvent[] {
    if ('id' in message) asked.set(keyOf(line, message, 'request'), message);
    if (line.d === '<')
      return methodOf(message) === 'session/update'
        ? updates.replayed(message['params'], shown)
        : fromAgent(message, shown);
    const params = fieldsOf(message['params']);
    switch (methodOf(message)) {
      case 'session/prompt':
        return [{type: 'prompt_started', turn: ++turn, content: promptIn(params)}];
      case 'session/cancel':
        return [{type: 'cancel_requested'}];
      case 'session/load':
        return [{type: 'replay_started'}, ...updates.opened(String(params['sessionId']))];
      case 'session/set_mode':
        return [{type: 'mode_set', modeId: String(params['modeId'])}];
      case 'session/set_model':
        return [{type: 'model_set', modelId: String(params['modelId'])}];
      default:
        return [];
    }
  }

  function answered(line: RecordingLine, message: Message, shown: SessionState): readonly ReplayedEvent[] {
    const key = keyOf(line, message, 'answer');
    const request = asked.get(key);
    asked.delete(key);
    if (!request) return [];
    if (line.d === '>')
      return [
        ...permissionResolved(request, message, shown),
        ...elicitationResolved(request, message),
        ...terminals(request, fieldsOf(message['result'])),
      ];
    const ended = methodOf(request) === 'session/prompt' ? updates.turnEnded(shown) : [];
    const events = [...ended, ...resultOf(request, message, turn)];
    const opened = events.find((event) => event.type === 'session_opened');
    return opened ? [...updates.opened(opened.session.sessionId), ...events] : events;
  }

  return (line, shown) => {
    if (line.d === '#')
      return line.e === 'start'
        ? [{type: 'connection_changed', connection: {kind: 'starting', step: 'launching', since: Date.now()}}]
        : ended(line);
    const message = messageOf(line);
    if (!message) return [];
    try {
      return kindOf(line) === 'answer' ? answered(line, message, shown) : requested(line, message, shown);
    } catch {
      // Invalid messages were refused when they were recorded, too.
      return [];
    }
  };
}

function fromAgent(message: Message, shown: SessionState): readonly ReplayedEvent[] {
  const {params} = message;
  const id = requestId(message);
  switch (methodOf(message)) {
    case 'session/request_permission':
      return [
        {type: 'permission_requested', id, ...intendedRequest(shown, readPermission(params, normalize))},
      ];
    case 'elicitation/create':
      return elicitationRequested(id, params, shown);
    default:
      return [];
  }
}

interface ReplayedUpdates {
  /** From now on, updates of other sessions belong to subagents. Returns the buffered events of this one. */
  opened(sessionId: string): readonly ReplayedEvent[];
  replayed(params: unknown, shown: SessionState): readonly ReplayedEvent[];
  /** Ends the subagents that were reported within the session itself. */
  turnEnded(shown: SessionState): readonly ReplayedEvent[];
}

/** Updates of the session and its subagents; those of an unannounced subagent are buffered. */
function replayedUpdates(): ReplayedUpdates {
  const open = new Set<string>();
  const subagents = new Set<string>();
  let early: {sessionId: string; update: Update}[] = [];

  function event(sessionId: string, update: Update): readonly ReplayedEvent[] {
    const notices: ReplayedEvent = subagents.has(sessionId)
      ? {type: 'subagent_updated', sessionId, update}
      : {type: 'session_update', update};
    if (update.sessionUpdate !== 'subagent_update' || subagents.has(update.sessionId)) return [notices];
    subagents.add(update.sessionId);
    return [notices, ...release(update.sessionId)];
  }

  function release(sessionId: string): readonly ReplayedEvent[] {
    const waiting = early.filter((each) => each.sessionId === sessionId);
    early = early.filter((each) => each.sessionId !== sessionId);
    return waiting.flatMap((each) => event(sessionId, each.update));
  }

  return {
    opened(sessionId) {
      open.add(sessionId);
      return release(sessionId);
    },
    replayed(params, shown) {
      const read = readUpdate(params, normalize, () => {});
      const agentName = shown.agent?.name;
      const sessionId = intendedSession(read, agentName);
      const update = intendedUpdate(read.update, agentName);
      // Before a session is open, updates belong to the one being opened.
      if (open.size === 0 || open.has(sessionId) || subagents.has(sessionId))
        return unnestUpdate(shown, {sessionId, update}).flatMap((each) => event(each.sessionId, each.update));
      early.push({sessionId, update});
      return [];
    },
    turnEnded: (shown) => endNestedSubagents(shown).flatMap((each) => event(each.sessionId, each.update)),
  };
}

function requestId({id}: Message): string {
  return `recorded ${String(id)}`;
}

function permissionResolved(
  request: Message,
  {result}: Message,
  shown: SessionState,
): readonly ReplayedEvent[] {
  if (methodOf(request) !== 'session/request_permission') return [];
  const {toolCall, options} = readPermission(request['params'], normalize).request;
  const {optionId} = fieldsOf(fieldsOf(result)['outcome']);
  const option = options.find((option) => option.optionId === optionId);
  const outcome = option ? (option.kind.startsWith('allow') ? 'allowed' : 'rejected') : 'cancelled';
  const decision = {outcome, option: option?.name, by: 'the recording'} as const;
  const id = requestId(request);
  const {toolCallId = toolCall.toolCallId} = pendingRequest(shown, id) ?? {};
  return [{type: 'permission_resolved', id, toolCallId, decision}];
}

/** Returns the events of a response from the agent. */
function resultOf(request: Message, {result, error}: Message, turn: number): readonly ReplayedEvent[] {
  const method = methodOf(request);
  if (method === 'session/prompt') return [{type: 'prompt_ended', turn, ...turnResult(result, error)}];
  if (error !== undefined) return [];
  if (method === 'initialize') {
    const response = resultParser('initialize').parse(result);
    return [{type: 'agent_initialized', response, fallbackName: 'the recorded agent'}];
  }
  const how = OPENINGS[method];
  if (how) return opened(how, fieldsOf(request['params']), result);
  if (method !== 'session/set_config_option') return [];
  return [
    {
      type: 'config_options_set',
      configOptions: resultParser('session/set_config_option').parse(result).configOptions,
    },
  ];
}

const DAMAGED: Failure = {kind: 'internal', problem: 'the recording is corrupt here'};

/** An unreadable prompt started a turn as well. */
function promptIn(params: Message): readonly acp.ContentBlock[] {
  const read = paramsParser('session/prompt').safeParse(params);
  return read.success ? read.data.prompt : [{type: 'text', text: '(unreadable prompt)'}];
}

function opened(how: OpeningMethod, params: Message, result: unknown): readonly ReplayedEvent[] {
  const setup = {
    cwd: String(params['cwd']),
    additionalDirectories: (params['additionalDirectories'] ?? []) as readonly string[],
  };
  const isKnown = how === 'load' || how === 'resume';
  const session = readOpenedSession(result, setup, isKnown ? String(params['sessionId']) : undefined);
  return [
    {type: 'session_opened', session, how},
    {type: 'connection_changed', connection: {kind: 'ready'}},
  ];
}

function turnResult(result: unknown, error: unknown) {
  if (error === undefined) {
    const read = resultParser('session/prompt').safeParse(result);
    if (!read.success) return {outcome: {kind: 'failed', failure: DAMAGED}} as const;
    const {stopReason, usage} = read.data;
    return {outcome: {kind: 'stopped', stopReason}, usage: usage ?? null} as const;
  }
  const {code, message} = fieldsOf(error);
  const failure: Failure = {
    kind: 'agent_error',
    method: 'session/prompt',
    code: Number(code),
    message: String(message),
  };
  return {outcome: {kind: 'failed', failure}} as const;
}

function ended(line: Extract<RecordingLine, {e: 'exit'}>): readonly ReplayedEvent[] {
  const {code, signal, asked} = line;
  if (asked) return [{type: 'connection_changed', connection: {kind: 'closed'}}];
  // The connection to a remote agent ends without an exit code.
  const exit = code === null && signal === null ? undefined : {code, signal};
  const failure: Failure = {kind: 'connection_lost', exit, stderrTail: ''};
  return [{type: 'connection_changed', connection: {kind: 'lost', failure}}];
}

/** A recorded `elicitation/create` under acp-tui's id; nothing if it was refused. */
function elicitationRequested(id: string, params: unknown, shown: SessionState): readonly ReplayedEvent[] {
  const asked = readElicitationRequest(identifyQuestion(shown, readElicitation(params)));
  return typeof asked === 'string' ? [] : [{type: 'elicitation_requested', id, asked}];
}

/** Returns the answer. A replay does not report that a URL was completed, because nothing waits for it. */
function elicitationResolved(request: Message, {result}: Message): readonly ReplayedEvent[] {
  if (methodOf(request) !== 'elicitation/create') return [];
  const asked = readElicitationRequest(readElicitation(request['params']));
  if (typeof asked === 'string') return [];
  const {action, content} = (result ?? {}) as {readonly action?: string; readonly content?: FormContent};
  const id = requestId(request);
  const outcome = OUTCOMES[action ?? ''] ?? 'withdrawn';
  const answers = outcome === 'accepted' ? answersOf(asked, content ?? {}) : [];
  const resolved: ReplayedEvent = {type: 'elicitation_resolved', id, outcome, answers};
  return isAddress(asked) ? [resolved, {type: 'elicitation_completed', id}] : [resolved];
}

const OUTCOMES: Readonly<Record<string, ElicitationOutcome>> = {
  accept: 'accepted',
  decline: 'declined',
  cancel: 'cancelled',
};

function isAddress({mode}: ElicitationQuestion): boolean {
  return mode === 'url';
}

/** Reconstructs terminal output from the agent's terminal requests: a recording has only the output that the agent asked for. */
function replayedTerminals(): (request: Message, result: Message) => readonly ReplayedEvent[] {
  const printed = new Map<string, string>();

  function output(terminalId: string, text: string): readonly ReplayedEvent[] {
    const before = printed.get(terminalId) ?? '';
    printed.set(terminalId, text);
    // If the beginning was truncated meanwhile, all of it is emitted again.
    const data = text.startsWith(before) ? text.slice(before.length) : text;
    return data === '' ? [] : [{type: 'terminal_output', terminalId, data}];
  }

  function exited(terminalId: string, exit: unknown): readonly ReplayedEvent[] {
    if (typeof exit !== 'object' || exit === null) return [];
    const {exitCode, signal} = exit as {exitCode?: number | null; signal?: string | null};
    if (exitCode === undefined && signal === undefined) return [];
    return [{type: 'terminal_exited', terminalId, exit: {code: exitCode ?? null, signal: signal ?? null}}];
  }

  return (request, result) => {
    const params = (request['params'] ?? {}) as Message;
    const terminalId = String(params['terminalId'] ?? result['terminalId']);
    switch (methodOf(request)) {
      case 'terminal/create': {
        const args = Array.isArray(params['args']) ? params['args'].map(String) : [];
        const command = [String(params['command']), ...args].join(' ');
        return result['terminalId'] === undefined
          ? []
          : [{type: 'terminal_created', terminalId, command, cwd: textOf(params['cwd']), pty: false}];
      }
      case 'terminal/output':
        return [...output(terminalId, textOf(result['output'])), ...exited(terminalId, result['exitStatus'])];
      case 'terminal/wait_for_exit':
        return exited(terminalId, result);
      case 'terminal/release':
        return [{type: 'terminal_released', terminalId}];
      default:
        return [];
    }
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The playable part of a recording. */
interface ReplayedRuns {
  /** In display order. */
  readonly lines: readonly RecordingLine[];
  /** Returns the events of a line; call it once per line, in order. `shown` is the session so far. */
  readonly eventsOf: (line: RecordingLine, shown: SessionState) => readonly ReplayedEvent[];
}

/**
 * Returns the agent processes of a recording one after the other, each with a heading if there are several; with `run`, from 1, only that one. Sessions that
 * were open in parallel in one process are also shown one after the other. Undefined if the recording has no such run.
 */
export function replayedRuns(
  recording: readonly RecordingLine[],
  wantedRun: number | undefined,
): ReplayedRuns | undefined {
  const chosen = sessionRuns(recording, wantedRun);
  if (chosen.length === 0) return undefined;
  const processes = runsOf(recording).length;
  const beginnings = new Map(chosen.map((run) => [run.lines[0], run]));
  let events = createReplayedEvents();
  return {
    lines: chosen.flatMap(({lines}) => lines),
    eventsOf(line, shown) {
      const run = beginnings.get(line);
      if (!run) return events(line, shown);
      // Ids and turns of one process do not apply to another's.
      events = createReplayedEvents(shown.lastTurn?.turn);
      const notices = processes > 1 || run.session ? [notice(run, processes)] : [];
      return [...notices, ...events(line, shown)];
    },
  };
}

function notice({lines, process, session}: SessionRun, processes: number): ReplayedEvent {
  const start = lines.find(isStart);
  const which = session ? `, session ${session.number} of ${session.of}` : '';
  const who = start ? `: ${start.agent.label}, in ${start.cwd}` : '';
  return {type: 'notice', level: 'info', text: `Agent process ${process} of ${processes}${which}${who}`};
}
