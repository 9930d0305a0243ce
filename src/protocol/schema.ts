import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {NewerUpdate, UpdateKind} from '../session/events.ts';
import {errorMessage} from '../shared/failure.ts';
import * as zod from '../../node_modules/@agentclientprotocol/sdk/dist/v1/unstable/schema/zod.gen.js';

/**
 * The SDK's generated parsers. It does not export them, but they are needed: its client silently drops updates that it cannot parse, returns unparsed results,
 * and handles a response before the updates that precede it. The SDK's version is pinned, so the type check notices if that file moves.
 */
export interface Parser<T> {
  /** Throws a ZodError. */
  parse(value: unknown): T;
  safeParse(value: unknown): {success: true; data: T} | {success: false; error: Error};
}

/** Returns what a parser objects to, with the places in the value, which is called `name`; the message of any other error. */
export function issuesOf(error: unknown, ...name: readonly string[]): readonly string[] {
  if (!(error instanceof Error) || !('issues' in error)) return [errorMessage(error)];
  const issues = error.issues as readonly {readonly path: readonly PropertyKey[]; readonly message: string}[];
  return issues.map(({path, message}) =>
    [[...name, ...path.map(String)].join('.'), message].filter(Boolean).join(': '),
  );
}

/** How many problems of a value are named. */
const MAX_PROBLEMS = 3;

/** Returns what a parser objects to, in one line. */
export function problemsOf(error: unknown): string {
  const issues = issuesOf(error);
  const more = issues.length - MAX_PROBLEMS;
  return issues.slice(0, MAX_PROBLEMS).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** The generated parsers set absent fields to `undefined`, which the generated types do not allow. */
function typed<T>(parser: {parse(value: unknown): object}): Parser<T> {
  return parser as unknown as Parser<T>;
}

/** The parsers of a method, in either direction. */
export interface MethodSchemas {
  readonly params: Parser<unknown>;
  /** Absent for notifications. */
  readonly result?: Parser<unknown>;
}

export const METHODS = {
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
  'elicitation/create': {params: zod.zCreateElicitationRequest, result: zod.zCreateElicitationResponse},
  'elicitation/complete': {params: zod.zCompleteElicitationNotification},
  'auth/status_update': {params: zod.zAuthStatusUpdateNotification},
} satisfies Readonly<Record<string, MethodSchemas>>;

type Params = acp.AgentRequestParamsByMethod &
  acp.ClientRequestParamsByMethod &
  acp.ClientNotificationParamsByMethod;

/** Returns the parser of the parameters of a request or notification. */
export function paramsParser<Method extends keyof typeof METHODS & keyof Params>(method: Method) {
  return typed<Params[Method]>(METHODS[method].params);
}

/** Returns the parser of the result of a request to the agent. */
export function resultParser<Method extends acp.AgentRequestMethod>(method: Method) {
  return typed<acp.AgentRequestResponsesByMethod[Method]>(METHODS[method].result);
}

export const authMethod = typed<acp.AuthMethod>(zod.zAuthMethod);
export const toolCallContent = typed<acp.ToolCallContent>(zod.zToolCallContent);

/** The parser of each kind of update, without `sessionUpdate`. The SDK's union tries one after the other, a dozen failed parses for the later kinds. */
export const updates = {
  user_message_chunk: zod.zContentChunk,
  agent_message_chunk: zod.zContentChunk,
  agent_thought_chunk: zod.zContentChunk,
  tool_call: zod.zToolCall,
  tool_call_update: zod.zToolCallUpdate,
  plan: zod.zPlan,
  plan_update: zod.zPlanUpdate,
  plan_removed: zod.zPlanRemoved,
  available_commands_update: zod.zAvailableCommandsUpdate,
  current_mode_update: zod.zCurrentModeUpdate,
  config_option_update: zod.zConfigOptionUpdate,
  session_info_update: zod.zSessionInfoUpdate,
  usage_update: zod.zUsageUpdate,
  notice: zod.zNotice,
  compaction_update: zod.zCompactionUpdate,
  compaction_summary_chunk: zod.zCompactionSummaryChunk,
  subagent_update: zod.zSubagentUpdate,
  session_message: zod.zSessionMessage,
  session_message_chunk: zod.zSessionMessageChunk,
} satisfies Record<Exclude<UpdateKind, '_unknown' | NewerUpdate['sessionUpdate']>, unknown>;
