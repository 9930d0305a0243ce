import {realpathSync} from 'node:fs';
import {connect} from 'node:net';
import {onTestFinished} from 'vitest';
import type {Script, ScriptStep} from '../../../fixtures/fake-agent/scenarios/script.ts';
import {commonOptions, runSchema} from '../../../src/cli/options.ts';
import type {ConversationOptions} from '../../../src/conversation/options.ts';
import {attachSession, type AttachedSession} from '../../../src/service/attached-session.ts';
import type {PreparedSession} from '../../../src/service/hosted-session.ts';
import type {HostedSessionsOptions} from '../../../src/service/hosted-sessions.ts';
import {ownSessions} from '../../../src/service/own-sessions.ts';
import {startService} from '../../../src/service/server.ts';
import {findService, type ServiceClient} from '../../../src/service/service-client.ts';
import {hostedStorage} from '../../../src/service/hosted-storage.ts';
import {servicePlace} from '../../../src/service/socket-place.ts';
import type {SessionActions} from '../../../src/session/actions.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {messageText} from '../../../src/session/selectors.ts';
import {reduce} from '../../../src/session/reduce.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {fail, type Failure, type Result} from '../../../src/shared/failure.ts';
import {openDatabase} from '../../../src/storage/database/database.ts';
import {openJournal} from '../../../src/storage/drafts/journal.ts';
import type {Write} from '../../../src/storage/sessions/event-writer.ts';
import {newSessionId} from '../../../src/storage/sessions/recorder.ts';
import {openSessionStore} from '../../../src/storage/sessions/session-store.ts';
import {startAgentHere} from '../../support/agent-here.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {conversationDefaults} from '../conversation/conversation-defaults.ts';

/** A chunk of the agent's answer. */
export const says = (text: string): ScriptStep => ({
  update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}},
});

/** A request that can be allowed or rejected, and the wait for its answer. */
export const asks = (id: string): readonly ScriptStep[] => [
  {
    ask: id,
    method: 'session/request_permission',
    params: {
      sessionId: '$session',
      toolCall: {toolCallId: `call-${id}`, title: `Run ${id}`, kind: 'other'},
      options: [
        {optionId: 'yes', name: 'Allow', kind: 'allow_once'},
        {optionId: 'no', name: 'Reject', kind: 'reject_once'},
      ],
    },
  },
  {answered: id},
];

/** A window on a session, without a screen. */
export interface TestWindow {
  readonly actions: SessionActions;
  state(): SessionState;
  /** All text of the agent. */
  said(): string;
  until(holds: (state: SessionState) => boolean): Promise<SessionState>;
  leave(): void;
  /** The id under which the session is stored. */
  readonly id: () => string | undefined;
}

/** A service in this process, whose sessions run a scripted agent. */
export async function openService(
  script: Script,
  {
    lingerMs = 60_000,
    idleMs = 3_600_000,
    maxUnread = 10_000,
    write,
    onPrepare = () => undefined,
    options = {},
  }: {
    lingerMs?: number;
    idleMs?: number;
    maxUnread?: number;
    write?: Write;
    options?: Partial<ConversationOptions>;
    /** Called before a session is prepared, which waits for it. */
    onPrepare?: () => Promise<void> | undefined;
  } = {},
) {
  const state = temporaryFolder();
  const cwd = realpathSync(temporaryFolder());
  const place = orThrow(servicePlace(state));
  const log: string[] = [];
  const hosting: HostedSessionsOptions = {
    log: (_, text) => void log.push(text),
    startAgent: startAgentHere,
    prepare: async ({given, prompt}, reserve) => {
      const {resumeRequest: wanted} = given;
      if (wanted?.which === 'named' && !reserve(wanted.id))
        return fail({kind: 'not_offered', what: 'resuming', why: 'it runs'});
      await onPrepare();
      return {
        ok: true,
        value: {...prepared(given), ...(prompt !== undefined && {prompt: {text: prompt, isAgents: false}})},
      };
    },
  };
  const service = orThrow(
    await startService({...hosting, socket: place.socket, lingerMs, idleMs, maxUnread}),
  );
  onTestFinished(() => service.end());

  function prepared(given: PreparedSession['given']): PreparedSession {
    const {cwd = ''} = given;
    const agent = {
      label: 'fake',
      command: process.execPath,
      args: [FAKE_AGENT, 'script', JSON.stringify(script)],
      env: {},
    };
    const database = openDatabase(state, {onDamaged: () => undefined});
    const id = newSessionId();
    let tell: (sentence: string) => void = () => undefined;
    const onProblem = (problem: Failure) => tell(failureSentence(problem));
    const store = openSessionStore({state, database, onProblem, ...(write && {write})});
    const recorder = orThrow(store.record({agent, cwd, additionalDirectories: [], id}));
    return {
      id,
      given,
      options: {...conversationDefaults, agent, cwd, ...options},
      session: initialSession({cwd, additionalDirectories: [], at: Date.now()}),
      storage: hostedStorage(recorder, {
        state,
        journal: openJournal(database, {cwd, slot: -1, onProblem: () => undefined}),
      }),
      problems: [],
      onNotStored: (listener) => void (tell = listener),
      close: () => database.close(),
    };
  }

  async function client(): Promise<ServiceClient> {
    const found = orThrow(await findService(state));
    if (!found) throw new Error('no service listens');
    onTestFinished(() => found.close());
    return found;
  }

  const given = {...commonOptions(runSchema.parse({})), cwd};
  return {
    state,
    given,
    log,
    socket: place.socket,
    service,
    client,
    /** The same sessions in this process, without a service. */
    inProcess: () => ownSessions(hosting),
    /** What is stored of unsent prompts. */
    journal: () => journalIn(state),
    /** Bytes to the socket, without a client. */
    raw: () => connect(place.socket),
    start: async (prompt?: string, folder = cwd) => {
      const wanted = {given: {...given, cwd: folder}, prompt, environment: {}};
      return orThrow(await (await client()).start(wanted)).id;
    },
    attach: async (id: string): Promise<TestWindow> =>
      windowOn(orThrow(await attachSession(await client(), id, state))),
  };
}

/** What is stored of unsent prompts in a state folder. */
export function journalIn(state: string): readonly unknown[] {
  const database = openDatabase(state, {onDamaged: () => undefined});
  const rows = orThrow(database.use((sql) => sql.all('SELECT state FROM drafts')));
  database.close();
  return rows.map((row) => JSON.parse((row as {state: string}).state) as unknown);
}

/** Follows an attached session. */
export function windowOn(attached: AttachedSession): TestWindow {
  let state = attached.session;
  const checks = new Set<() => void>();
  const actions = attached.follow((event: SessionEvent) => {
    state = reduce(state, event);
    for (const check of checks) check();
  });
  return {
    actions,
    state: () => state,
    said: () => saidIn(state),
    until(holds) {
      const {promise, resolve} = Promise.withResolvers<SessionState>();
      const check = () => {
        if (!holds(state)) return;
        checks.delete(check);
        resolve(state);
      };
      checks.add(check);
      check();
      return promise;
    },
    leave: () => void attached.leave(),
    id: attached.id,
  };
}

/** All text of the agent. */
export function saidIn({entries}: SessionState): string {
  return [...entries].map((entry) => (entry.type === 'agent_message' ? messageText(entry) : '')).join('');
}

export function orThrow<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.failure));
}
