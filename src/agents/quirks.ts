import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Update} from '../session/events.ts';
import type {RoutedUpdate} from '../session/subagents/nested.ts';
import type {AuthVariable} from '../shared/authentication.ts';

/** Behavior of a specific agent that no general rule can correct. */
interface Quirks {
  /** Can only create a file if reading it succeeds first, so a missing file must read as an empty one. */
  readonly emptyFileWhenMissing?: boolean;
  /** Sends the command of a permission request only in its title, complete and unchanged. */
  readonly commandAsTitle?: boolean;
  /** Reports a mode change as an agent message, `[MODE_UPDATE] <id>`. */
  readonly modeAsMessage?: boolean;
  /** Replays the context that it gave its model as a prompt, which begins like this. */
  readonly contextAsPrompt?: `<${string}>`;
  /** Sends notices as agent messages, each in one chunk: `Info: <text>`. */
  readonly noticesAsMessages?: boolean;
  /** Reports usage that accumulates over the session, instead of per turn. */
  readonly usageAddsUp?: boolean;
  /** From this version on, it copies a session up to a message (`session/fork` with `_meta.jetbrains.air.fork`). */
  readonly forksAtMessageFrom?: readonly [major: number, minor: number];
  /** Mixes up or ends sessions that are open at the same time, so each gets its own process. */
  readonly ownProcess?: boolean;
  /** Answers the call that starts a subagent with a message that is only a note for its own model. */
  readonly launchNotes?: boolean;
  /** Environment variables of sign-in methods that do not declare them, by the method's id. */
  readonly variables?: Readonly<Record<string, readonly AuthVariable[]>>;
  /** Limitations that can't be worked around, in sentences for the user. */
  readonly notes?: readonly string[];
}

/** An API key that the agent may already have from another variable or its own files. */
function keyVariable(name: string): AuthVariable {
  return {name, label: 'API key', secret: true, optional: true};
}

/** fixtures/wire/claude-subagent.ndjson */
const claude: Quirks = {launchNotes: true, forksAtMessageFrom: [0, 100]};

/** fixtures/wire/codex-*.ndjson. Its terminals and cancelled tool calls are handled for every agent. */
const codex: Quirks = {
  forksAtMessageFrom: [2, 6],
  variables: {'api-key': [keyVariable('OPENAI_API_KEY')]},
  notes: [
    'Runs commands itself, in its own terminals, and reports them in _meta; acp-tui shows them too.',
    'Rejecting a permission request ends the turn as cancelled.',
    'Never reports the end of a cancelled tool call, or only after the turn.',
    'In mode "agent" a model reviews commands; select "read-only" to be asked.',
    'Reports errors of its model service as an ordinary message and an ordinary end of the turn.',
    'Takes about five seconds to exit; acp-tui stops it after two.',
  ],
};

/**
 * fixtures/wire/copilot-write-run-edit.ndjson. Its notices are sent as messages and not replayed when the session is loaded; token counts accumulate across
 * turns and restart with the process.
 */
const copilot: Quirks = {noticesAsMessages: true, usageAddsUp: true};

/**
 * Gemini CLI reads a file before it writes it, and does not recognize any error for a missing file (fixtures/wire/gemini-write.ndjson: the write fails;
 * gemini-write-missingempty.ndjson: it works). The title of a permission request to run a command is the command, and no other field has it
 * (gemini-run.ndjson). It reports a new mode as a message, `[MODE_UPDATE] yolo` (gemini-modes.ndjson).
 */
const gemini: Quirks = {
  emptyFileWhenMissing: true,
  commandAsTitle: true,
  modeAsMessage: true,
  contextAsPrompt: '<session_context>',
  variables: {'gemini-api-key': [keyVariable('GEMINI_API_KEY')]},
  notes: [
    'Offers to load sessions, but says of some that the project has none.',
    'Reports a tool that needs permission first in the permission request, and not again when it is rejected.',
    'Reports errors of its model service with the HTTP status as code and JSON as message.',
  ],
};

/** fixtures/wire/kimi-*.ndjson */
const kimi: Quirks = {
  contextAsPrompt: '<system-reminder>',
  notes: [
    'Asks for permission itself, and then writes and runs through the client; acp-tui asks once.',
    'Sends the input of a tool as JSON text until it starts.',
    'Gives its tool calls new IDs when it loads a session.',
  ],
};

/** fixtures/wire/opencode-*.ndjson. Repeated updates are merged with the existing entry, for every agent. */
const opencode: Quirks = {
  notes: [
    'Replays the conversation of a fork before it names the fork.',
    'Writes files itself and then through the client, even when that was not offered.',
    'Its task list is an ordinary tool call, not a plan.',
  ],
};

/** fixtures/wire/kilo-write.ndjson: a fork of OpenCode. */
const kilo: Quirks = {
  notes: [
    'Replays the conversation of a fork before it names the fork.',
    'Asks for permission before it sends the text that leads to the call.',
    'Writes files itself and then through the client.',
  ],
};

/** fixtures/wire/pi-error.ndjson */
/** Its adapter ends every other session, even a running one, when it opens or loads one. */
const pi: Quirks = {
  ownProcess: true,
  notes: [
    'Does not report errors of its model service: the turn ends without an answer.',
    'Needs pi 0.81 or newer; with an older one no session ever opens.',
  ],
};

/** Its auth method declares one variable; without the two others the agent reports the first one as missing. */
const qwen: Quirks = {
  variables: {
    openai: [
      keyVariable('OPENAI_API_KEY'),
      {name: 'OPENAI_BASE_URL', label: 'Service URL', secret: false, optional: true},
      {name: 'OPENAI_MODEL', label: 'Model', secret: false, optional: true},
    ],
  },
};

/** fixtures/wire/zed-claude-*.ndjson: an older adapter for Claude. */
const zedClaude: Quirks = {
  notes: [
    'Asks for permission itself, and then writes and runs through the client; acp-tui asks once.',
    'Names line 0 of a file, which is none.',
  ],
};

/** fixtures/wire/zed-codex-*.ndjson: an older adapter for Codex. */
const zedCodex: Quirks = {
  notes: [
    'Classifies a command by what it does: one that lists files has the kind "search".',
    'Reports the output of a command only as raw output, and its own explanation as content.',
    'Starts an answer with warnings of its own, as a part of the message.',
    'When it loads a session, tool calls have other titles and outputs, and the requests are missing.',
  ],
};

/** By the agent's name in `initialize` (agentInfo.name). */
const QUIRKS: Readonly<Record<string, Quirks>> = {
  '@agentclientprotocol/claude-agent-acp': claude,
  '@agentclientprotocol/codex-acp': codex,
  '@zed-industries/claude-code-acp': zedClaude,
  Copilot: copilot,
  Kilo: kilo,
  'Kimi Code CLI': kimi,
  OpenCode: opencode,
  'codex-acp': zedCodex,
  'gemini-cli': gemini,
  'pi-acp': pi,
  'qwen-code': qwen,
};

/** Returns the quirks of an agent; none if it is unknown or sent no name. */
export function quirksOf(agentName: string | undefined): Quirks {
  return agentName !== undefined && Object.hasOwn(QUIRKS, agentName) ? (QUIRKS[agentName] ?? {}) : {};
}

/** True if an agent copies a session up to a message. */
export function forksAtMessage(agent: {
  readonly name: string;
  readonly version: string | undefined;
}): boolean {
  const from = quirksOf(agent.name).forksAtMessageFrom;
  const [major = NaN, minor = NaN] = (agent.version ?? '').split('.').map(Number);
  return from !== undefined && (major > from[0] || (major === from[0] && minor >= from[1]));
}

const SEVERITIES = {Info: 'info', Warning: 'warning', Error: 'error'} as const;

/** An update that changes nothing. */
const NOTHING: Update = {sessionUpdate: 'session_info_update'};

/** Returns an update in its intended form: messages that only report a mode or a notice become those updates, and context for the model becomes nothing. */
export function intendedUpdate(update: Update, agentName: string | undefined): Update {
  if (update.sessionUpdate !== 'agent_message_chunk' && update.sessionUpdate !== 'user_message_chunk')
    return update;
  if (update.content.type !== 'text') return update;
  const {modeAsMessage, noticesAsMessages, contextAsPrompt} = quirksOf(agentName);
  const {text} = update.content;
  if (update.sessionUpdate === 'user_message_chunk')
    return contextAsPrompt && text.startsWith(contextAsPrompt) ? NOTHING : update;
  const currentModeId = modeAsMessage && /^\[MODE_UPDATE\] (\S+)$/.exec(text)?.[1];
  if (currentModeId) return {sessionUpdate: 'current_mode_update', currentModeId};
  const [, name, title] = (noticesAsMessages && /^(Info|Warning|Error): (\S[^]*)$/.exec(text)) || [];
  if (name === undefined || title === undefined) return update;
  return {sessionUpdate: 'notice', severity: SEVERITIES[name as keyof typeof SEVERITIES], title};
}

/** Returns the session whose transcript an update belongs to; undefined for a note about a subagent's start, which is meant for the agent's model only. */
export function intendedSession(
  {sessionId, update}: RoutedUpdate,
  agentName: string | undefined,
): acp.SessionId {
  if (update.sessionUpdate !== 'session_message' || !quirksOf(agentName).launchNotes) return sessionId;
  const [first] = update.content ?? [];
  const isNote = first?.type === 'text' && first.text.startsWith('Async agent launched');
  return (isNote && update.senderSessionId) || sessionId;
}

/** Returns the tool call of a permission request with its command, which rules need, from wherever the agent sent it. */
export function intendedCall(
  toolCall: acp.ToolCallUpdate,
  agentName: string | undefined,
): acp.ToolCallUpdate {
  const {kind, title, rawInput} = toolCall;
  const hasOnlyTitle = kind === 'execute' && typeof title === 'string' && rawInput === undefined;
  return hasOnlyTitle && quirksOf(agentName).commandAsTitle
    ? {...toolCall, rawInput: {command: title}}
    : toolCall;
}

const WORDS: Readonly<Record<Exclude<keyof Quirks, 'notes'>, string>> = {
  emptyFileWhenMissing:
    'Creates a file only after reading it succeeds; acp-tui reports a missing file as empty.',
  commandAsTitle:
    'Names the command of a request only in the title; acp-tui reads it there, also for your rules.',
  modeAsMessage: 'Reports a mode change as a message; acp-tui shows the mode and hides the message.',
  contextAsPrompt: 'Replays the context for its model as a prompt; acp-tui leaves it out.',
  noticesAsMessages: 'Sends notices as messages; acp-tui shows them as notices, not as part of the answer.',
  forksAtMessageFrom: 'Copies a session up to a message (newer versions); /rewind goes back with that.',
  usageAddsUp: 'Counts tokens over the whole session; acp-tui shows what each turn added.',
  ownProcess: 'Cannot keep several sessions open at the same time; acp-tui starts a process per session.',
  launchNotes: 'Sends a note for its model when a subagent starts; acp-tui shows it in the subagent.',
  variables: 'Signs in with environment variables; acp-tui asks for them and restarts the agent with them.',
};

/** Returns the quirks of an agent and how acp-tui handles them, in sentences. */
export function describeQuirks({notes = [], ...quirks}: Quirks): readonly string[] {
  const names = Object.keys(WORDS) as (keyof typeof WORDS)[];
  return [...names.filter((name) => quirks[name] !== undefined).map((name) => WORDS[name]), ...notes];
}
