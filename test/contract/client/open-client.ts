import {realpathSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {createClient, type Client} from '../../../src/client/create-client.ts';
import type {ClientOptions} from '../../../src/client/options.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {reduce} from '../../../src/session/reduce.ts';
import {messageText} from '../../../src/session/selectors.ts';
import type {SessionState} from '../../../src/session/state.ts';

const fakeAgent = join(import.meta.dirname, '../../../fixtures/fake-agent/main.ts');

/** A client of a scripted agent, its state folded as a window would, with waits for a state. */
export interface OpenedClient {
  readonly client: Client;
  readonly cwd: string;
  readonly log: string[];
  readonly state: () => SessionState;
  /** Everything the agent has said, as text. */
  readonly said: () => string;
  /** Resolves as soon as the state is so. */
  readonly until: (holds: (state: SessionState) => boolean, what: string) => Promise<SessionState>;
  readonly prompt: (text: string) => Promise<SessionState>;
}

export function makeClient(scenario: readonly string[], options: Partial<ClientOptions> = {}): OpenedClient {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'acp-tui-client-')));
  const waiting = new Set<() => void>();
  const log: string[] = [];
  let state = initialSession({cwd, additionalDirectories: [], at: Date.now()});
  const link = {
    log: (_level: string, message: string) => void log.push(message),
    state: () => state,
    emit(event: SessionEvent) {
      state = reduce(state, event);
      for (const check of waiting) check();
    },
  };
  const agent = {label: 'fake', command: process.execPath, args: [fakeAgent, ...scenario], env: {}};
  const client = createClient(
    {
      agent,
      cwd,
      additionalDirectories: [],
      offer: {fs: true, terminal: true},
      approval: 'none',
      person: true,
      settings: {options: []},
      startSeconds: 20,
      version: '0.0.0',
      ...options,
    },
    link,
  );
  onTestFinished(async () => {
    await client.actions.close();
    rmSync(cwd, {recursive: true, force: true});
  });

  async function until(holds: (state: SessionState) => boolean, what: string): Promise<SessionState> {
    if (holds(state)) return state;
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    const check = () => holds(state) && resolve();
    const late = setTimeout(
      () => reject(new Error(`waited for ${what}; it is ${JSON.stringify(state)}`)),
      15_000,
    );
    waiting.add(check);
    await promise.finally(() => {
      clearTimeout(late);
      waiting.delete(check);
    });
    return state;
  }

  return {
    client,
    cwd,
    log,
    until,
    state: () => state,
    said: () =>
      state.entries.map((entry) => (entry.type === 'agent_message' ? messageText(entry) : '')).join(''),
    prompt(text) {
      client.actions.prompt([{type: 'text', text}]);
      const {turn} = state;
      return until(() => state.turn.kind === 'idle' || state.turn !== turn, 'the turn to go on');
    },
  };
}

/** The same with its session open. */
export async function openClient(
  scenario: readonly string[],
  options: Partial<ClientOptions> = {},
): Promise<OpenedClient> {
  const made = makeClient(scenario, options);
  const opened = await made.client.open();
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return made;
}

export const idle = (state: SessionState): boolean =>
  state.turn.kind === 'idle' && state.lastTurn !== undefined;
