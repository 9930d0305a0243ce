import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Failure, Result} from '../shared/failure.ts';
import type {SteerOutcome} from '../session/actions.ts';
import type {InitializeResponse, OpenedSession} from '../session/events.ts';
import type {SentRequest} from './outgoing.ts';

/** Which side of the work we offer the agent (`initialize`, clientCapabilities). */
export interface ClientOffer {
  readonly fs: boolean;
  readonly terminal: boolean;
  /** True if a program can be given the terminal of the user, to sign in there. */
  readonly terminalSignIn?: boolean;
  /** Questions to a person. */
  readonly elicitation?: boolean;
}

/**
 * A connection to one agent, speaking ACP v1. Every request resolves to a result: an error answer, a closed connection and
 * an exceeded limit are failures, never rejections.
 */
export interface Connection extends SessionRequests, ProviderRequests {
  /** "Initialization": negotiates version 1; another version is the failure `protocol_version`. */
  initialize(offer: ClientOffer): Promise<Result<InitializeResponse>>;
  /** "Authentication", for all kinds but `terminal`; `signal` withdraws it (`$/cancel_request`), and then it fails at once. */
  authenticate(methodId: string, signal?: AbortSignal): Promise<Result<void>>;
  /** "Logging Out". */
  logout(): Promise<Result<void>>;
  /** The draft `auth/status`. */
  authStatus(): Promise<Result<acp.AuthStatusResponse>>;
  /** "Prompt Turn"; resolves when the agent answers, however long that takes. */
  prompt(sessionId: acp.SessionId, content: readonly acp.ContentBlock[]): Promise<Result<acp.PromptResponse>>;
  /**
   * Asks for a prompt to be taken into the running turn (`_session/steering`, an extension): the agent either takes it, or
   * leaves it to be sent as a prompt of its own. Some begin a turn with it all the same.
   */
  steer(sessionId: acp.SessionId, content: readonly acp.ContentBlock[]): Promise<Result<SteerOutcome>>;
  /** "Cancellation" of the running turn. */
  cancel(sessionId: acp.SessionId): void;
  setMode(sessionId: acp.SessionId, modeId: string): Promise<Result<void>>;
  /** The old `session/set_model`. */
  setModel(sessionId: acp.SessionId, modelId: string): Promise<Result<void>>;
  /** "Session Config Options"; resolves to the complete list after the change, if the agent returns it. */
  setConfigOption(
    sessionId: acp.SessionId,
    configId: string,
    value: string | boolean,
  ): Promise<Result<acp.SessionConfigOption[] | undefined>>;
  /** Any other request, with its answer as it is: for methods and parameters that the protocol does not have. */
  request(method: string, params: object): Promise<Result<unknown>>;
  /** Any other notification. */
  notify(method: string, params: object): void;
  /** The first line of output that is no message, as long as no message has come: why an agent may never answer. */
  nonProtocolOutput(): string | undefined;
  /** What was sent with this id and is not answered yet. */
  sentRequest(id: unknown): SentRequest | undefined;
  /** Resolves once, when the connection is over, with why; undefined after `close()`. */
  readonly closed: Promise<Failure | undefined>;
  /** Rejects what is pending and stops reading. The process is the launcher's to end. */
  close(): void;
}

/**
 * Requests to the agent about its sessions. None of them looks at what the agent advertised: see `hasCapability`. An
 * `auth_required` error is the failure `authentication_required`. `signal` tells the agent that its answer is no longer wanted
 * ("Cancellation"), and that is waited for all the same.
 */
export interface SessionRequests {
  /** "Session Setup". */
  newSession(setup: SessionSetup, signal?: AbortSignal): Promise<Result<OpenedSession>>;
  /** "Loading Sessions": the agent replays the conversation before it responds. */
  loadSession(
    sessionId: acp.SessionId,
    setup: SessionSetup,
    signal?: AbortSignal,
  ): Promise<Result<OpenedSession>>;
  /** "Resuming Sessions": the same without the telling. */
  resumeSession(
    sessionId: acp.SessionId,
    setup: SessionSetup,
    signal?: AbortSignal,
  ): Promise<Result<OpenedSession>>;
  /** "Forking": a new session that knows what the old one does. */
  forkSession(
    sessionId: acp.SessionId,
    setup: SessionSetup,
    signal?: AbortSignal,
  ): Promise<Result<OpenedSession>>;
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
}

/** "Configurable LLM Providers" (a draft), for agents that advertise `providers`. */
export interface ProviderRequests {
  listProviders(): Promise<Result<readonly acp.ProviderInfo[]>>;
  /** Replaces its whole configuration. Header values are in no log and no recording. */
  setProvider(config: acp.SetProviderRequest): Promise<Result<void>>;
  disableProvider(providerId: acp.ProviderId): Promise<Result<void>>;
}

/** Instructions of the user for the agent (a draft). With both, `override` comes first. */
export interface SystemPrompt {
  /** Replaces the agent's own instructions. */
  readonly override?: string;
  /** Is added to them. */
  readonly append?: string;
}

export interface SessionSetup {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; sent only when the agent advertised `sessionCapabilities.additionalDirectories`. */
  readonly additionalDirectories: readonly string[];
  /** Only for an agent that takes it, see `systemPromptProblem`. */
  readonly systemPrompt?: SystemPrompt;
  /** Sent as they are: which transports the agent takes was looked at before. */
  readonly mcpServers: readonly acp.McpServer[];
}
