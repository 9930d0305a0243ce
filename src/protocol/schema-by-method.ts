import * as zod from '../../node_modules/@agentclientprotocol/sdk/dist/v1/unstable/schema/zod.gen.js';

/** What the SDK's schemas have to say about a method, whoever calls it. */
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

/** The parsers of the SDK by method, see `schema.ts` for why they are taken from there. */
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
  'elicitation/create': {params: zod.zCreateElicitationRequest, result: zod.zCreateElicitationResponse},
  'elicitation/complete': {params: zod.zCompleteElicitationNotification},
  'auth/status_update': {params: zod.zAuthStatusUpdateNotification},
};

/** How a value differs from what the schema of a method says; nothing for methods that are no part of the protocol. */
export function violations(method: string, part: 'params' | 'result', value: unknown): readonly string[] {
  const schemas = Object.hasOwn(methods, method) ? methods[method] : undefined;
  const parsed = schemas?.[part]?.safeParse(value);
  return (parsed?.error?.issues ?? []).map(({path, message}) =>
    [part, ...path.map(String)].join('.').concat(`: ${message}`),
  );
}
