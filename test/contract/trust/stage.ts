import {appendFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, onTestFinished} from 'vitest';
import type {PuppetStep} from '../../../fixtures/fake-agent/scenarios/puppet.ts';
import {createConversation} from '../../../src/conversation/conversation.ts';
import {createAgentPool} from '../../../src/conversation/connection/agent-pool.ts';
import type {ConversationOptions} from '../../../src/conversation/options.ts';
import {createPermissionRules} from '../../../src/conversation/trust/permission-rules.ts';
import {createAudit} from '../../../src/storage/audit.ts';
import {decisionsIn, type DecisionRecord} from '../../../src/session/requests/permission-rules.ts';
import {messageText} from '../../../src/session/selectors.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {closeWindows, open, type Size, type Window} from '../../support/screen/window.ts';
import {answer, read, type ScreenReading} from './read-screen.ts';
import {makeSandbox, type Sandbox} from './sandbox.ts';
import {conversationDefaults} from '../conversation/conversation-defaults.ts';
import {startAgentHere} from '../../support/agent-here.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';

export const OPTIONS: acp.PermissionOption[] = [
  {optionId: 'yes', name: 'Yes', kind: 'allow_once'},
  {optionId: 'no', name: 'No', kind: 'reject_once'},
];
/** Keys that answer a request with these options, and acp-tui's own keys. */
export const ALLOW = 'y';
export const REFUSE = 'n';

/** A deceptive agent, the real client and host, and a drawn screen with a simulated user. */
export interface Stage extends Sandbox {
  readonly window: Window;
  readonly state: () => SessionState;
  /** The agent's next actions. */
  readonly does: (step: PuppetStep) => void;
  /** Requests permission; resolves to the ID of the option, or the outcome. */
  readonly asks: (toolCall: Partial<acp.ToolCallUpdate>) => Promise<string>;
  /** Sends a request; resolves to its result or error. */
  readonly requests: (method: string, params: object) => Promise<unknown>;
  /** Waits until a request is on the screen and reads all of it: every row that was drawn. */
  readonly reads: () => Promise<ScreenReading>;
  /** The same, followed by the key that answers it. */
  readonly answers: (key: string) => Promise<ScreenReading>;
  /** The audit log. */
  readonly logged: () => readonly DecisionRecord[];
}

export interface StageOptions extends Partial<ConversationOptions> {
  readonly size?: Size;
  /** Files of the session's folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Names of programs on PATH that only record how they were started. */
  readonly programs?: readonly string[];
  /** The content of /permissions. */
  readonly rules?: Parameters<typeof createPermissionRules>[0]['rules'];
}

/** Opens a session whose turn has started: the agent waits for instructions. */
export async function openStage(given: StageOptions = {}): Promise<Stage> {
  const {size = {columns: 100, rows: 40}, files = {}, programs = [], rules = [], ...options} = given;
  const sandbox = makeSandbox(files, programs);
  const {base, cwd} = sandbox;
  const onProblem = (problem: unknown) => expect.fail(String(problem));
  const audit = createAudit({state: join(base, 'state'), env: {}, onProblem});
  const permissions = createPermissionRules({config: join(base, 'config'), rules, hooks: [], audit});
  const steps = join(base, 'steps');
  writeFileSync(steps, '');
  const window = open(
    size,
    {},
    {
      cwd,
      perform(effect) {
        if (effect.kind !== 'call') return;
        if (effect.action === 'answer') void conversation.answer(...effect.args);
        if (effect.action === 'cancel') conversation.cancel();
      },
    },
  );
  const state = () => window.store.latest().sessions['one']!.session;
  const agent = {label: 'fake', command: process.execPath, args: [FAKE_AGENT, 'puppet', steps], env: {}};
  const conversation = createConversation(
    {...conversationDefaults, agent, cwd, permissions: permissions.of('fake'), ...options},
    {
      log: () => undefined,
      state,
      emit: (event) => window.store.dispatch({type: 'session', key: 'one', event, at: performance.now()}),
    },
    createAgentPool({wire: {}, log: () => {}, startAgent: startAgentHere}),
  );
  onTestFinished(async () => {
    await conversation.close();
    await closeWindows();
  });
  const opened = await conversation.open();
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  conversation.prompt([{type: 'text', text: 'go'}]);
  return {
    ...sandbox,
    ...actionsOf({steps, state}),
    window,
    state,
    reads: () => read(window),
    answers: (key) => answer(window, key),
    logged: () => decisionsIn(permissions.log('fake', state().sessionId ?? '')),
  };
}

/** The agent's actions are written where it reads them; it sends back the responses. */
function actionsOf({steps, state}: {readonly steps: string; readonly state: () => SessionState}) {
  let asked = 0;
  const does = (step: PuppetStep) => appendFileSync(steps, `${JSON.stringify(step)}\n`);
  const said = () =>
    [...state().entries].map((entry) => (entry.type === 'agent_message' ? messageText(entry) : '')).join('');
  async function answerTo(name: string): Promise<string> {
    const words = new RegExp(`^.*${name}: (.*)$`, 'm');
    await expect.poll(said).toMatch(words);
    return words.exec(said())![1]!;
  }
  return {
    does,
    asks(toolCall: Partial<acp.ToolCallUpdate>) {
      const name = `ask-${++asked}-`;
      does({ask: {toolCall: {toolCallId: name, ...toolCall}, options: OPTIONS}, name});
      return answerTo(name);
    },
    async requests(method: string, params: object) {
      const name = `request-${++asked}-`;
      does({request: method, params, name});
      return JSON.parse(await answerTo(name)) as unknown;
    },
  };
}
