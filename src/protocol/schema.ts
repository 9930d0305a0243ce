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

/** How many problems of a value are named. */
const MAX_PROBLEMS = 3;

/** Returns what a parser objects to, in one line with the places in the value; the message of any other error. */
export function problemsOf(error: unknown): string {
  if (!(error instanceof Error) || !('issues' in error)) return errorMessage(error);
  const issues = error.issues as readonly {readonly path: readonly PropertyKey[]; readonly message: string}[];
  const named = issues
    .slice(0, MAX_PROBLEMS)
    .map(({path, message}) => [path.map(String).join('.'), message].filter(Boolean).join(': '));
  const more = issues.length - named.length;
  return named.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** The generated parsers set absent fields to `undefined`, which the generated types do not allow. */
function typed<T>(parser: {parse(value: unknown): object}): Parser<T> {
  return parser as unknown as Parser<T>;
}

export const initializeResponse = typed<acp.InitializeResponse>(zod.zInitializeResponse);
export const authMethod = typed<acp.AuthMethod>(zod.zAuthMethod);
/** The result of `auth/status`, and the content of `auth/status_update`. */
export const authStatus = typed<acp.AuthStatusResponse>(zod.zAuthStatusResponse);
export const newSessionResponse = typed<acp.NewSessionResponse>(zod.zNewSessionResponse);
export const loadSessionResponse = typed<acp.LoadSessionResponse>(zod.zLoadSessionResponse);
export const listSessionsResponse = typed<acp.ListSessionsResponse>(zod.zListSessionsResponse);
export const listProvidersResponse = typed<acp.ListProvidersResponse>(zod.zListProvidersResponse);
export const sessionStatus = typed<acp.SessionStatusResponse>(zod.zSessionStatusResponse);
export const promptRequest = typed<acp.PromptRequest>(zod.zPromptRequest);
export const promptResponse = typed<acp.PromptResponse>(zod.zPromptResponse);
export const setConfigOptionResponse = typed<acp.SetSessionConfigOptionResponse>(
  zod.zSetSessionConfigOptionResponse,
);

export const requestPermissionRequest = typed<acp.RequestPermissionRequest>(zod.zRequestPermissionRequest);
export const createElicitationRequest = typed<acp.CreateElicitationRequest>(zod.zCreateElicitationRequest);
export const completeElicitationNotification = typed<acp.CompleteElicitationNotification>(
  zod.zCompleteElicitationNotification,
);
export const readTextFileRequest = typed<acp.ReadTextFileRequest>(zod.zReadTextFileRequest);
export const writeTextFileRequest = typed<acp.WriteTextFileRequest>(zod.zWriteTextFileRequest);
export const createTerminalRequest = typed<acp.CreateTerminalRequest>(zod.zCreateTerminalRequest);
export const terminalOutputRequest = typed<acp.TerminalOutputRequest>(zod.zTerminalOutputRequest);
export const waitForTerminalExitRequest = typed<acp.WaitForTerminalExitRequest>(
  zod.zWaitForTerminalExitRequest,
);
export const killTerminalRequest = typed<acp.KillTerminalRequest>(zod.zKillTerminalRequest);
export const releaseTerminalRequest = typed<acp.ReleaseTerminalRequest>(zod.zReleaseTerminalRequest);

/** A request to an MCP server that was offered over the connection. */
export const messageMcpRequest = typed<acp.MessageMcpRequest>(zod.zMessageMcpRequest);

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
