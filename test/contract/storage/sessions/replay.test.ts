import {describe, expect, test} from 'vitest';
import {createAgentPool} from '../../../../src/conversation/connection/agent-pool.ts';
import {createConversation} from '../../../../src/conversation/conversation.ts';
import {createPrintConversation} from '../../../../src/modes/print/print-conversation.ts';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {eventsOf, recordings} from '../../../support/session/recorded.ts';
import {startAgentHere} from '../../../support/agent-here.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {playConversation, origin, storeIn, turn, valueOf} from '../stores.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';

const options = {
  environment: process.env,
  offer: {fs: true, terminal: true},
  approval: 'all',
  settings: {options: []},
  startSeconds: 20,
  version: '0.0.0',
} as const;

const form = {
  sessionId: '$session',
  mode: 'form',
  message: 'Who?',
  requestedSchema: {properties: {name: {type: 'string'}, password: {type: 'string'}}},
};

describe('the file restores the same state', () => {
  test.each(recordings)('with updates of a real agent: %s', async (recording) => {
    const store = storeIn(temporaryFolder());
    const place = {cwd: '/workspace', additionalDirectories: []};
    const recorder = valueOf(store.record({...origin, ...place}));
    const events = eventsOf(recording) as SessionEvent[];
    // Without a prompt nothing would be stored.
    const isSilent = events.every(({type}) => type !== 'prompt_started');
    const all = isSilent ? [...events, ...turn(1, 'hello', 'hi')] : events;
    const lived = playConversation(recorder, all, initialSession({...place, at: all[0]?.at ?? 0}));
    recorder.close();
    expect(valueOf(await store.state(recorder.id() ?? ''))).toEqual(lived);
  });

  // Those whose events no recording has; the others differ before they become events.
  test.each([
    'closes-output',
    'crash',
    'error-details',
    'permission',
    'refusal',
    'terminal',
    'unknowns',
    'updates',
  ])('with the scripted agent %s', async (scenario) => {
    const store = storeIn(temporaryFolder());
    const cwd = temporaryFolder();
    const agent = {label: 'fake', command: process.execPath, args: [FAKE_AGENT, scenario], env: {}};
    const conversation = createPrintConversation(
      {agent, cwd, additionalDirectories: [], ...options, hasUser: false},
      {log: () => {}},
    );
    const recorder = valueOf(store.record({agent, cwd, additionalDirectories: []}));
    conversation.onEvent((event, state) => recorder.follow(event, state));
    valueOf(await conversation.open());
    const ended = new Promise<void>((resolve) => {
      conversation.onEvent((event) => event.type === 'prompt_ended' && resolve());
    });
    conversation.prompt([{type: 'text', text: 'go'}]);
    await ended;
    await conversation.close();
    recorder.close();
    const read = valueOf(await store.state(recorder.id() ?? ''));
    expect(read.entries.length).toBeGreaterThan(1);
    expect(read).toEqual(conversation.state());
  });

  test("with the agent's forms, without their secrets", async () => {
    const store = storeIn(temporaryFolder());
    const folder = temporaryFolder();
    const script = {
      turns: [[{ask: 'it', method: 'elicitation/create', params: form}, {answered: 'it'}]],
    };
    const agent = {
      label: 'fake',
      command: process.execPath,
      args: [FAKE_AGENT, 'script', JSON.stringify(script)],
      env: {},
    };
    const place = {agent, cwd: folder, additionalDirectories: []};
    const recorder = valueOf(store.record(place));
    let state = initialSession({cwd: folder, additionalDirectories: [], at: 0});
    const events: SessionEvent[] = [];
    const ended = Promise.withResolvers<void>();
    const conversation = createConversation(
      {...options, ...place, hasUser: true},
      {
        log: () => {},
        state: () => state,
        emit(event) {
          events.push(event);
          state = reduce(state, event);
          recorder.follow(event, state);
          if (event.type === 'elicitation_requested') queueMicrotask(() => void answer(event.id));
          if (event.type === 'prompt_ended') ended.resolve();
        },
      },
      createAgentPool({wire: {}, log: () => {}, startAgent: startAgentHere}),
    );
    const answer = (id: string) =>
      conversation.answer(id, {kind: 'accepted', content: {name: 'Ada', password: 'hunter2'}});
    valueOf(await conversation.open());
    conversation.prompt([{type: 'text', text: 'go'}]);
    await ended.promise;
    await conversation.close();
    recorder.close();
    const read = valueOf(await store.state(recorder.id() ?? ''));
    expect(read).toEqual(state);
    expect([...read.entries].find(({type}) => type === 'elicitation')).toMatchObject({
      answers: [
        {label: 'name', answer: 'Ada'},
        {label: 'password', isSecret: true},
      ],
    });
    expect(JSON.stringify(events)).not.toContain('hunter2');
    expect(valueOf(store.search('Ada'))).toMatchObject([{role: 'agent'}]);
    expect(valueOf(store.search('hunter2'))).toEqual([]);
  });
});
