import * as zod from '../../node_modules/@agentclientprotocol/sdk/dist/v1/unstable/schema/zod.gen.js';
import * as zod2 from '../../node_modules/@agentclientprotocol/sdk/dist/v2/unstable/schema/zod.gen.js';
import {type Finding, type FindingsOf, pageOf} from '../recording/describe.ts';
import {messageOf, methodOf, type Exchange, type Message, textOf, updateOf} from '../recording/exchanges.ts';
import {brokenRules} from '../recording/rules/index.ts';
import {type Deviation, normalizeWith, type Normalizer} from './normalize/deviation.ts';
import {MALFORMED, malformedProblem} from './normalize/malformed.ts';
import {DEVIATIONS, readPermission, readUpdate} from './normalize/messages.ts';
import {isJsonObject} from '../text/json.ts';

/** Returns the findings about each exchange of a recording, alone and in sequence. `exchanges` must be complete. */
export function findingsIn(exchanges: readonly Exchange[]): FindingsOf {
  const broken = brokenRules(exchanges);
  return (exchange) => [
    ...findingsOf(exchange),
    ...(broken.get(exchange.index) ?? []),
    ...(broken.get(exchange.answer?.index ?? -1) ?? []),
  ];
}

/** Returns the findings about the messages of one exchange, found by the real parsers: deviations that are corrected, and violations of the SDK's schemas. */
function findingsOf({index, line, kind, from, method, answer}: Exchange): readonly Finding[] {
  const found: Finding[] = [];
  const reported = new Set<string>();

  const message = messageOf(line);
  const page = pageOf(method, textOf(updateOf(message)['sessionUpdate']));

  let shownBy = index;

  function report(finding: Pick<Finding, 'kind' | 'text'>): void {
    const text = `${finding.kind} ${finding.text}`;
    if (!reported.has(text)) found.push({...finding, line: shownBy + 1, page});
    reported.add(text);
  }
  const violation = (text: string) => report({kind: 'violation', text});
  const normalize: Normalizer = (value, deviations) =>
    normalizeWith(value, deviations, (name) => report({kind: 'corrected', text: name}));

  if (message && kind !== 'answer') {
    const corrected = from === 'agent' ? envelope(message, normalize) : message;
    checkParams(methodOf(corrected), corrected['params'], {correct: normalize, violation, from});
  }
  if (answer) {
    shownBy = answer.index;
    const corrected = from === 'client' ? envelope(answer.message, normalize) : answer.message;
    if (corrected['error'] === undefined) {
      const result =
        from === 'client' ? normalize(corrected['result'], DEVIATIONS.results[method]) : corrected['result'];
      for (const text of violations(method, 'result', result ?? {})) violation(text);
    }
  }
  return found;
}

interface Tools {
  readonly correct: Normalizer;
  readonly violation: (text: string) => void;
  readonly from: Exchange['from'];
}

function checkParams(method: string, params: unknown, {correct: normalize, violation, from}: Tools): void {
  if (from === 'agent' && method === 'session/update') {
    readUpdate(params, normalize, (_level, text) => violation(text));
    return;
  }
  if (from === 'agent' && method === MALFORMED) violation(malformedProblem(params));
  if (from === 'agent' && method === 'session/request_permission')
    readSafely(() => readPermission(params, normalize));
  const deviations: readonly Deviation[] | undefined =
    from === 'agent' ? DEVIATIONS.requests[method] : undefined;
  for (const text of violations(method, 'params', normalize(params ?? {}, deviations))) violation(text);
}

/** Errors it throws are also found by the schema. */
function readSafely(read: () => unknown): void {
  try {
    read();
  } catch {
    return;
  }
}

function envelope(message: Message, normalize: Normalizer): Message {
  const corrected = normalize(message, DEVIATIONS.envelope);
  return isJsonObject(corrected) ? corrected : message;
}

/** The SDK's schemas of a method, in either direction. */
interface MethodSchemas {
  readonly params: Checks;
  /** Absent for notifications. */
  readonly result?: Checks;
}

interface Checks {
  safeParse(value: unknown): {
    readonly success: boolean;
    readonly error?: {readonly issues: readonly Issue[]} | undefined;
  };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The SDK's parsers by method; `schema.ts` explains why they are imported from there. */
const methods: Readonly<Record<string, MethodSchemas>> = {
  initialize: {params: zod.zInitializeRequest, result: zod.zInitializeResponse},
  authenticate: {params: zod.zAuthenticateRequest, result: zod.zAuthenticateResponse},
  'auth/status': {params: zod.zAuthStatusRequest, result: zod.zAuthStatusResponse},
  logout: {params: zod.zLogoutRequest, result: zod.zLogoutResponse},
  'session/new': {params: zod.zNewSessionRequest, result: zod.zNewSessionResponse},
  'session/load': {params: zod.zLoadSessionRequest, result: zod.zLoadSessionResponse},
  'session/list': {params: zod.zListSessionsRequest, result: zod.zListSessionsResponse},
  'session/delete': {params: zod.zDeleteSessionRequest, result: zod.zDeleteSessionResponse},
  'session/fork': {params: zod.zForkSessionRequest, result: zod.zForkSessionResponse},
  'session/archive': {params: zod.zArchiveSessionRequest, result: zod.zArchiveSessionResponse},
  'session/unarchive': {params: zod.zUnarchiveSessionRequest, result: zod.zUnarchiveSessionResponse},
  'session/status': {params: zod.zSessionStatusRequest, result: zod.zSessionStatusResponse},
  'session/set_title': {params: zod.zSetSessionTitleRequest, result: zod.zSetSessionTitleResponse},
  'session/resume': {params: zod.zResumeSessionRequest, result: zod.zResumeSessionResponse},
  'session/close': {params: zod.zCloseSessionRequest, result: zod.zCloseSessionResponse},
  'session/set_mode': {params: zod.zSetSessionModeRequest, result: zod.zSetSessionModeResponse},
  'session/set_config_option': {
    params: zod.zSetSessionConfigOptionRequest,
    result: zod.zSetSessionConfigOptionResponse,
  },
  'session/prompt': {params: zod.zPromptRequest, result: zod.zPromptResponse},
  'session/cancel': {params: zod.zCancelNotification},
  'session/request_permission': {
    params: zod.zRequestPermissionRequest,
    result: zod.zRequestPermissionResponse,
  },
  'fs/read_text_file': {params: zod.zReadTextFileRequest, result: zod.zReadTextFileResponse},
  'fs/write_text_file': {params: zod.zWriteTextFileRequest, result: zod.zWriteTextFileResponse},
  'terminal/create': {params: zod.zCreateTerminalRequest, result: zod.zCreateTerminalResponse},
  'terminal/output': {params: zod.zTerminalOutputRequest, result: zod.zTerminalOutputResponse},
  'terminal/wait_for_exit': {
    params: zod.zWaitForTerminalExitRequest,
    result: zod.zWaitForTerminalExitResponse,
  },
  'terminal/kill': {params: zod.zKillTerminalRequest, result: zod.zKillTerminalResponse},
  'terminal/release': {params: zod.zReleaseTerminalRequest, result: zod.zReleaseTerminalResponse},
  'mcp/message': {params: zod.zMessageMcpRequest, result: zod.zMessageMcpResponse},
  'providers/list': {params: zod.zListProvidersRequest, result: zod.zListProvidersResponse},
  'providers/set': {params: zod.zSetProviderRequest, result: zod.zSetProviderResponse},
  'providers/disable': {params: zod.zDisableProviderRequest, result: zod.zDisableProviderResponse},
  'proxy/initialize': {params: zod.zInitializeProxyRequest, result: zod.zInitializeProxyResponse},
  'proxy/successor': {params: zod.zProxySuccessorRequest, result: zod.zProxySuccessorResponse},
  '$/cancel_request': {params: zod.zCancelRequestNotification},
  // Of version 2.
  'auth/login': {params: zod2.zLoginAuthRequest, result: zod2.zLoginAuthResponse},
  'auth/logout': {params: zod2.zLogoutAuthRequest, result: zod2.zLogoutAuthResponse},
  'tool_call/cancel': {params: zod2.zCancelToolCallRequest, result: zod2.zCancelToolCallResponse},
  'terminal/cancel': {params: zod2.zCancelTerminalRequest, result: zod2.zCancelTerminalResponse},
  'elicitation/create': {params: zod.zCreateElicitationRequest, result: zod.zCreateElicitationResponse},
  'elicitation/complete': {params: zod.zCompleteElicitationNotification},
  'auth/status_update': {params: zod.zAuthStatusUpdateNotification},
};

/** Returns how a value violates the schema of a method; empty for methods outside the protocol. */
function violations(method: string, part: 'params' | 'result', value: unknown): readonly string[] {
  const schemas = Object.hasOwn(methods, method) ? methods[method] : undefined;
  const parsed = schemas?.[part]?.safeParse(value);
  return (parsed?.error?.issues ?? []).map(({path, message}) =>
    [part, ...path.map(String)].join('.').concat(`: ${message}`),
  );
}
