import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Failure, Result} from '../shared/failure.ts';
import type {SteerOutcome} from '../session/queue/queued-prompt.ts';
import type {ForkPoint, InitializeResponse, OpenedSession} from '../session/events.ts';
import type {SentRequest} from './outgoing.ts';

/** The client's capabilities to advertise (`initialize`, clientCapabilities). */
export interface ClientOffer {
  readonly fs: boolean;
  readonly terminal: boolean;
  /** True if a program can use the user's terminal to sign in. */
  readonly terminalSignIn?: boolean;
  /** True if the user can answer forms. */
  readonly elicitation?: boolean;
  /** 2 offers that version; the transport translates it, see `v2Transport`. */
  readonly protocolVersion?: 2;
}

/**
 * A connection to one agent, speaking ACP v1. Every request resolves to a result: an error answer, a closed connection and
 * an exceeded limit are failures, never rejections.
 */
export interface Connection extends SessionRequests, ProviderRequests {
  /** "Initialization": negotiates version 1, or that of the offer, to which the agent may answer 1; another version is the failure `protocol_version`. */
  initialize(offer: ClientOffer): Promise<Result<InitializeResponse>>;
  /** "Authentication", for all kinds but `terminal`; aborting `signal` cancels it (`$/cancel_request`) and fails at once. */
  authenticate(methodId: string, signal?: AbortSignal): Promise<Result<void>>;
  /** "Logging Out". */
  logout(): Promise<Result<void>>;
  /** The draft `auth/status`. */
  authStatus(): Promise<Result<acp.AuthStatusResponse>>;
  /**
   * "Prompt Turn"; resolves when the agent answers, however long that takes. `key`: of a prompt that was sent before, see `RETRY_CLASSES`; by default a new one.
   */
  prompt(
    sessionId: acp.SessionId,
    content: readonly acp.ContentBlock[],
    key?: string,
  ): Promise<Result<acp.PromptResponse>>;
  /**
   * Asks the agent to add a prompt to the running turn (`_session/steering`, an extension); if it does not, the prompt has to be sent as a turn of its own.
   * Some agents start a turn with it anyway.
   */
  steer(sessionId: acp.SessionId, content: readonly acp.ContentBlock[]): Promise<Result<SteerOutcome>>;
  /** "Cancellation" of the running turn. */
  cancel(sessionId: acp.SessionId): void;
  setMode(sessionId: acp.SessionId, modeId: string): Promise<Result<void>>;
  /** The legacy `session/set_model`. */
  setModel(sessionId: acp.SessionId, modelId: string): Promise<Result<void>>;
  /** "Session Config Options"; resolves to the complete list after the change, if the agent returns it. */
  setConfigOption(
    sessionId: acp.SessionId,
    configId: string,
    value: string | boolean,
  ): Promise<Result<acp.SessionConfigOption[] | undefined>>;
  /**
   * Offers an MCP server over the connection ("MCP over ACP", a draft): the result's `declaration` is for `SessionSetup.mcpServers`, its
   * `dispose` ends the offer.
   */
  offerMcpServer(name: string, handle: acp.McpRequestHandler): acp.McpServerRegistration;
  /** Sends any other request and returns the raw result: for methods and parameters outside the protocol. */
  request(method: string, params: object): Promise<Result<unknown>>;
  /** Sends any other notification. */
  notify(method: string, params: object): void;
  /** The first line of output that is not a message, until a message arrives: the likely reason why the agent does not respond. */
  nonProtocolOutput(): string | undefined;
  /** Returns the unanswered request with this id. */
  sentRequest(id: unknown): SentRequest | undefined;
  /** Resolves once, when the connection has ended, with the reason; undefined after `close()`. */
  readonly closed: Promise<Failure | undefined>;
  /** Rejects pending requests and stops reading. Stopping the process is up to the launcher. */
  close(): void;
}

type OpenEarlier = (
  sessionId: acp.SessionId,
  setup: SessionSetup,
  signal?: AbortSignal,
) => Promise<Result<OpenedSession>>;

/**
 * Session requests. None of them checks what the agent advertised: see `hasCapability`. An `auth_required` error is the failure `authentication_required`.
 * Aborting `signal` asks the agent to cancel ("Cancellation"), and its response is still awaited.
 */
export interface SessionRequests {
  /** "Session Setup". */
  newSession(setup: SessionSetup, signal?: AbortSignal): Promise<Result<OpenedSession>>;
  /** "Loading Sessions": the agent replays the conversation before it responds. */
  readonly loadSession: OpenEarlier;
  /** "Resuming Sessions": like `loadSession`, without the replay. */
  readonly resumeSession: OpenEarlier;
  /** "Forking": a new session that starts with a copy of the conversation. */
  readonly forkSession: OpenEarlier;
  /** "Session List": one page. */
  listSessions(page: acp.ListSessionsRequest): Promise<Result<acp.ListSessionsResponse>>;
  /** "Closing Active Sessions". */
  closeSession(sessionId: acp.SessionId): Promise<Result<void>>;
  /** "Session Delete". */
  deleteSession(sessionId: acp.SessionId): Promise<Result<void>>;
  archiveSession(sessionId: acp.SessionId): Promise<Result<void>>;
  unarchiveSession(sessionId: acp.SessionId): Promise<Result<void>>;
  /** The draft `session/status`: `open` if the agent has the session in memory, for any client. */
  sessionStatus(sessionId: acp.SessionId): Promise<Result<'open' | 'saved'>>;
  setTitle(sessionId: acp.SessionId, title: string): Promise<Result<string | undefined>>;
  /** "Cancelling Tool Calls" and "Cancelling Terminals" (version 2): only for those that the agent says it can cancel. */
  cancelToolCall(sessionId: acp.SessionId, toolCallId: acp.ToolCallId): Promise<Result<void>>;
  cancelTerminal(sessionId: acp.SessionId, terminalId: acp.TerminalId): Promise<Result<void>>;
}

/** "Configurable LLM Providers" (a draft), for agents that advertise `providers`. */
export interface ProviderRequests {
  listProviders(): Promise<Result<readonly acp.ProviderInfo[]>>;
  /** Replaces the whole provider configuration. Header values are never logged or recorded. */
  setProvider(config: acp.SetProviderRequest): Promise<Result<void>>;
  disableProvider(providerId: acp.ProviderId): Promise<Result<void>>;
}

/** The user's instructions for the agent (a draft). With both, `override` comes first. */
export interface SystemPrompt {
  /** Replaces the agent's system prompt. */
  readonly override?: string;
  /** Appended to the agent's system prompt. */
  readonly append?: string;
}

export interface SessionSetup {
  /** Of a fork: where it ends; undefined if at the end. */
  readonly forkAt?: ForkPoint['at'] | undefined;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; sent only when the agent advertised `sessionCapabilities.additionalDirectories`. */
  readonly additionalDirectories: readonly string[];
  /** Only for an agent that supports it, see `systemPromptProblem`. */
  readonly systemPrompt?: SystemPrompt;
  /** Sent unchanged: the caller has filtered by the agent's supported transports. */
  readonly mcpServers: readonly acp.McpServer[];
}
