import {realpathSync} from 'node:fs';
import {onTestFinished} from 'vitest';
import {initialApp} from '../../../src/app/initial.ts';
import {applyReaction} from '../../../src/app/effects.ts';
import {submitPrompt} from '../../../src/app/queue/queue.ts';
import {reduceApp} from '../../../src/app/reduce.ts';
import type {AppEvent} from '../../../src/app/events.ts';
import type {AppState, Tab, SessionKey} from '../../../src/app/state.ts';
import type {WindowAgents} from '../../../src/window/agents/agent-chooser.ts';
import type {ConversationOptions} from '../../../src/conversation/options.ts';
import {createPermissionRules} from '../../../src/conversation/trust/permission-rules.ts';
import {createCommandLibrary} from '../../../src/conversation/prompt/command-library.ts';
import {createWindowSessions} from '../../../src/window/sessions/window-sessions.ts';
import {createFaultReporter} from '../../../src/window/faults.ts';
import {createForgetfulAudit} from '../../../src/storage/audit.ts';
import {createWireRingBuffer} from '../../../src/recording/ring-buffer.ts';
import type {RecordingLine} from '../../../src/recording/format.ts';
import {messageText} from '../../../src/session/selectors.ts';
import {createStore, type Store} from '../../../src/shared/store.ts';
import {createWindowStorage} from '../../../src/modes/window/window-storage.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {newTab, type WindowOptions, type WindowSessions} from '../../../src/window/effects/effect-context.ts';
import {agentDefaults, conversationDefaults} from './conversation-defaults.ts';
import {startAgentHere} from '../../support/agent-here.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';

export const FIRST: SessionKey = 'session-1';

/** A window without a screen: its sessions and the agents they share. */
export interface OpenedWindow {
  readonly store: Store<AppState, AppEvent>;
  readonly sessions: WindowSessions;
  readonly log: readonly string[];
  /** The messages on the wires. */
  readonly wire: () => readonly RecordingLine[];
  /** Opens another session and resolves to its key when it is ready. */
  readonly open: (...scenario: readonly string[]) => Promise<SessionKey>;
  /** The same with other options. */
  readonly openWith: (
    options: Partial<ConversationOptions>,
    ...scenario: readonly string[]
  ) => Promise<SessionKey>;
  readonly session: (key: SessionKey) => Tab | undefined;
  /** All text in a session. */
  readonly said: (key: SessionKey) => string;
  /** The notices in a session. */
  readonly notices: (key: SessionKey) => readonly string[];
  readonly prompt: (key: SessionKey, text: string) => void;
  /** Completes a turn, after which the session is not replaced by another. */
  readonly converse: (key: SessionKey, text: string) => Promise<void>;
  /** Resolves once the state satisfies the condition. */
  readonly until: (holds: (state: AppState) => boolean) => Promise<void>;
}

interface WindowPlace extends Partial<
  Pick<WindowOptions, 'background' | 'openWorktree' | 'optionsForAgent' | 'useFolder'>
> {
  /** Where sessions are stored. */
  readonly state?: string;
  /** False stores none. */
  readonly save?: boolean;
  /** The sign-in method of the command line. */
  readonly authMethod?: string;
}

/** Opens a window whose first session runs an agent with this scenario and is ready. */
export function openWindow(...scenario: readonly string[]): Promise<OpenedWindow> {
  return openWindowIn({}, ...scenario);
}

/** The same, with a state folder, a background service, or what makes worktrees. */
export async function openWindowIn(
  {state = temporaryFolder(), save = true, authMethod, ...given}: WindowPlace,
  ...scenario: readonly string[]
): Promise<OpenedWindow> {
  const cwd = realpathSync(temporaryFolder());
  const log: string[] = [];
  const write = (_level: string, message: string) => void log.push(message);
  const optionsOf = (scenario: readonly string[]): ConversationOptions => ({
    ...conversationDefaults,
    agent: {label: 'fake', command: process.execPath, args: [FAKE_AGENT, ...scenario], env: {}},
    cwd,
    approval: 'all',
    permissions: permissions.of('fake'),
    customCommands: createCommandLibrary({config: state, state, home: state}),
  });
  const audit = createForgetfulAudit();
  const permissions = createPermissionRules({config: state, rules: [], hooks: [], audit});
  const first = {options: {...optionsOf(scenario), ...(authMethod !== undefined && {authMethod})}};
  const store = createStore(reduceApp, initialApp({session: newTab(FIRST, first), theme: 'dark'}));
  const storage = createWindowStorage(store, {
    cwd,
    limits: {},
    state,
    save,
    warn: (text) => void log.push(text),
  });
  const ring = createWireRingBuffer();
  const sessions = createWindowSessions({
    openWorktree: () => Promise.reject(new Error('no worktrees here')),
    useFolder: () => [],
    optionsForAgent: ({agent}) => ({...agentDefaults, permissions: permissions.of(agent.label)}),
    ...given,
    store,
    storage,
    log: write,
    permissions,
    settings: {config: state, state, env: {}, options: {}},
    agents: {} as WindowAgents,
    stateFolder: state,
    wire: {onEvent: ring.add},
    startAgent: startAgentHere,
    wireLines: ring.lines,
    report: createFaultReporter(store, write),
    quit: () => {},
  });
  onTestFinished(async () => {
    await sessions.closeAll();
    storage.close();
  });

  function until(holds: (state: AppState) => boolean): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    const check = () => {
      if (!holds(store.latest())) return;
      stop();
      resolve();
    };
    const stop = store.onEvent(check);
    check();
    return promise;
  }

  async function openWith(options: Partial<ConversationOptions>, ...scenario: readonly string[]) {
    await sessions.open({options: {...optionsOf(scenario), ...options}});
    return store.latest().active;
  }

  const entries = (key: SessionKey) => [...(store.latest().sessions[key]?.session.entries ?? [])];
  const said = (key: SessionKey) =>
    entries(key)
      .map((entry) => (entry.type === 'agent_message' ? messageText(entry) : ''))
      .join('');
  const prompt = (key: SessionKey, text: string) =>
    applyReaction(submitPrompt(key, {text}), store, sessions.perform);
  await sessions.start(FIRST, first).open();
  return {
    store,
    sessions,
    log,
    wire: ring.lines,
    until,
    open: (...scenario) => openWith({}, ...scenario),
    openWith,
    session: (key) => store.latest().sessions[key],
    said,
    notices: (key) => entries(key).flatMap((entry) => (entry.type === 'notice' ? [entry.text] : [])),
    prompt,
    async converse(key, text) {
      prompt(key, text);
      await until(() => said(key).includes(text));
    },
  };
}
