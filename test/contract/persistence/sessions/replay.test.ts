import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createHeadlessClient} from '../../../../src/client/headless-client.ts';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {eventsOf, recordings} from '../../../unit/session/recorded.ts';
import {temporaryFolder} from '../temporary-folder.ts';
import {live, origin, storeIn, turn, valueOf} from '../stores.ts';

const fakeAgent = join(import.meta.dirname, '../../../../fixtures/fake-agent/main.ts');

describe('the file leads to the same state as living it', () => {
  test.each(recordings)('with what a real agent sent: %s', async (recording) => {
    const store = storeIn(temporaryFolder());
    const recorder = valueOf(store.record({...origin, cwd: '/workspace'}));
    const events = eventsOf(recording) as SessionEvent[];
    // Without a prompt nothing would be stored.
    const isSilent = events.every(({type}) => type !== 'prompt_started');
    const lived = live(recorder, isSilent ? [...events, ...turn(1, 'hello', 'hi')] : events);
    recorder.close();
    expect(valueOf(await store.state(recorder.id() ?? ''))).toEqual(lived);
  });

  test.each([
    'echo',
    'closes-output',
    'crash',
    'disorder',
    'error-details',
    'escapes',
    'fs',
    'huge',
    'malformed',
    'permission',
    'refusal',
    'terminal',
    'tools',
    'unknowns',
    'updates',
  ])('with the scripted agent %s', async (scenario) => {
    const store = storeIn(temporaryFolder());
    const cwd = temporaryFolder();
    const agent = {label: 'fake', command: process.execPath, args: [fakeAgent, scenario], env: {}};
    const client = createHeadlessClient(
      {
        agent,
        cwd,
        additionalDirectories: [],
        offer: {fs: true, terminal: true},
        approval: 'all',
        person: false,
        settings: {options: []},
        startSeconds: 20,
        version: '0.0.0',
      },
      {log: () => {}},
    );
    const recorder = valueOf(store.record({agent, cwd, additionalDirectories: []}));
    client.onEvent((event, state) => recorder.follow(event, state));
    valueOf(await client.open());
    const ended = new Promise<void>((resolve) => {
      client.onEvent((event) => event.type === 'prompt_ended' && resolve());
    });
    client.actions.prompt([{type: 'text', text: 'go'}]);
    await ended;
    await client.actions.close();
    recorder.close();
    const read = valueOf(await store.state(recorder.id() ?? ''));
    expect(read.entries.length).toBeGreaterThan(1);
    expect(read).toEqual(client.state());
  });
});
