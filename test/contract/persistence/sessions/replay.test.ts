import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createHeadlessClient} from '../../../../src/client/headless-client.ts';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {eventsOf, recordings} from '../../../unit/session/recorded.ts';
import {temporaryFolder} from '../temporary-folder.ts';
import {live, origin, storeIn, turn, valueOf} from '../stores.ts';

const fakeAgent = join(import.meta.dirname, '../../../../fixtures/fake-agent/main.ts');

describe('the file leads to the same state as living it', () => {
  const workspace = {...origin, cwd: '/workspace'};

  test.each(recordings)('with what a real agent sent: %s', async (recording) => {
    const store = storeIn(temporaryFolder());
    const recorder = valueOf(store.record(workspace));
    const recorded = eventsOf(recording).map((event, index) => ({at: index, ...event}) as SessionEvent);
    // Without a prompt nothing is stored.
    const events = recorded.some(({type}) => type === 'prompt_started')
      ? recorded
      : [...recorded, ...turn(1, 'hello', 'hi')];
    const lived = live(recorder, events);
    recorder.close();
    const stored = valueOf(store.list());
    const read = valueOf(await store.state(recorder.id() ?? ''));
    if (stored.length === 1) expect(read).toEqual(lived);
    // Of several sessions in one conversation each has a file with its own part.
    else expect(read.entries.map(typeOf)).toEqual(lived.entries.slice(lived.sessionStart).map(typeOf));
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
      () => {},
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

function typeOf({type}: {readonly type: string}): string {
  return type;
}
