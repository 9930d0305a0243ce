import {realpathSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {createConversation, type Conversation} from '../../../src/conversation/conversation.ts';
import {createAgentPool} from '../../../src/conversation/connection/agent-pool.ts';
import type {ConversationOptions} from '../../../src/conversation/options.ts';
import type {Script, ScriptStep} from '../../../fixtures/fake-agent/scenarios/script.ts';
import type {WireMessage} from '../../../src/protocol/handlers-interface.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {reduce} from '../../../src/session/reduce.ts';
import {messageText} from '../../../src/session/selectors.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {conversationDefaults} from './conversation-defaults.ts';
import {startAgentHere} from '../../support/agent-here.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';

/** A JSON-RPC message that the client wrote to the agent's stdin. */
export interface SentMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: {readonly code: number; readonly message: string; readonly data?: unknown};
}

/** A client of a scripted agent, its state folded as in a window, with waits for a state. */
export interface OpenedConversation {
  readonly conversation: Conversation;
  readonly cwd: string;
  readonly log: string[];
  /** Everything the client has sent, as the agent receives it. */
  readonly sent: () => readonly SentMessage[];
  /** Resolves to the client's response to the request with this ID. */
  readonly answerTo: (id: string | number) => Promise<SentMessage>;
  readonly state: () => SessionState;
  /** All text the agent has sent. */
  readonly said: () => string;
  /** Resolves once the state satisfies the condition. */
  readonly until: (holds: (state: SessionState) => boolean, what: string) => Promise<SessionState>;
  readonly prompt: (text: string) => void;
}

export function makeConversation(
  scenario: readonly string[],
  options: Partial<ConversationOptions> = {},
  before: Partial<SessionState> = {},
): OpenedConversation {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'acp-tui-client-')));
  const waiting = new Set<() => void>();
  const log: string[] = [];
  const sent: SentMessage[] = [];
  let state: SessionState = {...initialSession({cwd, additionalDirectories: [], at: Date.now()}), ...before};
  const link = {
    log: (_level: string, message: string) => void log.push(message),
    state: () => state,
    emit(event: SessionEvent) {
      state = reduce(state, event);
      for (const check of waiting) check();
    },
  };
  function onWire({direction, line}: WireMessage): void {
    if (direction === 'to_agent') sent.push(JSON.parse(line) as SentMessage);
    for (const check of waiting) check();
  }
  const agent = {label: 'fake', command: process.execPath, args: [FAKE_AGENT, ...scenario], env: {}};
  const conversation = createConversation(
    {
      ...conversationDefaults,
      agent,
      cwd,
      ...options,
    },
    link,
    createAgentPool({wire: {onWire}, log: link.log, startAgent: startAgentHere}),
  );
  onTestFinished(async () => {
    await conversation.close();
    rmSync(cwd, {recursive: true, force: true, maxRetries: 5});
  });

  async function until(holds: (state: SessionState) => boolean, what: string): Promise<SessionState> {
    if (holds(state)) return state;
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    const check = () => holds(state) && resolve();
    const late = setTimeout(
      () => reject(new Error(`waited for ${what}; it is ${JSON.stringify(state)}`)),
      60_000,
    );
    waiting.add(check);
    await promise.finally(() => {
      clearTimeout(late);
      waiting.delete(check);
    });
    return state;
  }

  const answer = (id: string | number) =>
    sent.find((message) => message.method === undefined && message.id === id);

  return {
    conversation,
    cwd,
    log,
    until,
    sent: () => sent,
    async answerTo(id) {
      await until(() => answer(id) !== undefined, `the answer to ${id}`);
      return answer(id) as SentMessage;
    },
    state: () => state,
    said: () =>
      state.entries.map((entry) => (entry.type === 'agent_message' ? messageText(entry) : '')).join(''),
    prompt: (text) => conversation.prompt([{type: 'text', text}]),
  };
}

/** The same with its session open. */
export async function openConversation(
  scenario: readonly string[],
  options: Partial<ConversationOptions> = {},
): Promise<OpenedConversation> {
  const made = makeConversation(scenario, options);
  const opened = await made.conversation.open();
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return made;
}

/** The same with an agent that performs these steps. */
export function openScripted(
  script: Script,
  options: Partial<ConversationOptions> = {},
): Promise<OpenedConversation> {
  return openConversation(['script', JSON.stringify(script)], options);
}

/** The response to the request `it` of these steps, for an agent that may do everything. */
export async function answerOf(
  steps: readonly ScriptStep[],
  prepare: (cwd: string) => void = () => {},
): Promise<SentMessage> {
  const {prompt, answerTo, cwd} = await openScripted({turns: [steps]}, {approval: 'all'});
  prepare(cwd);
  prompt('go');
  return answerTo('it');
}

/** The texts of all notices. */
export const notices = ({entries}: SessionState): readonly string[] =>
  entries.flatMap((entry) => (entry.type === 'notice' ? [entry.text] : []));

export const idle = (state: SessionState): boolean =>
  state.turn.kind === 'idle' && state.lastTurn !== undefined;
