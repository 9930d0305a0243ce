import {readdirSync} from 'node:fs';
import {setImmediate} from 'node:timers/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as fc from 'fast-check';
import {afterEach, beforeAll, beforeEach, describe, expect, test, vi} from 'vitest';
import {rowsWith} from '../../../../components/viewer/viewer-lines.ts';
import {createTranscriptRows} from '../../../../components/viewer/transcript-rows.ts';
import {START} from '../../../../src/app/pages/viewer.ts';
import {textToCopy} from '../../../../src/app/commands/transfer-commands.ts';
import type {AppEvent} from '../../../../src/app/events.ts';
import {initialApp} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import type {AppState} from '../../../../src/app/state.ts';
import {documentOf} from '../../../../src/export/document.ts';
import {EXPORT_FORMATS} from '../../../../src/export/formats.ts';
import {offloadWindow, type SpillOptions} from '../../../../src/storage/memory-offload.ts';
import type {Update} from '../../../../src/session/events.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {createStore, type Store} from '../../../../src/shared/store.ts';
import {plainDraw} from '../../../support/screen/draw.ts';
import {drawingReady} from '../../../support/in-process.ts';
import {linesOf, viewWhole} from '../../../support/screen/whole-transcript.ts';
import {anyEvent} from '../../../support/session/arbitrary.ts';
import {
  calls,
  callUpdate,
  ended,
  fold,
  opened,
  prompted,
  says,
  update,
  type UntimedEvent,
} from '../../../support/session/build.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

// What a thread draws later would be read once more.
beforeAll(drawingReady);

const KEY = 'one';
/** Everything finished is offloaded, however small. */
const ALL = {newest: 0, worthIt: 0};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Spilling {
  readonly store: Store<AppState, AppEvent>;
  /** Folds it, offloads finished entries, and returns the session. */
  readonly report: (...events: readonly UntimedEvent[]) => SessionState;
}

function spilling(options: SpillOptions, limits?: typeof ALL): Spilling {
  const store = createStore(
    reduceApp,
    initialApp({
      session: {key: KEY, agentLabel: 'x', session: opened, approval: 'none'},
      theme: 'dark',
    }),
  );
  offloadWindow(store, options, limits);
  return {
    store,
    report(...events) {
      events.forEach((event, index) =>
        store.dispatch({type: 'session', key: KEY, event: {at: index + 1, ...event}, at: index + 1}),
      );
      vi.runAllTimers();
      return sessionOf(store);
    },
  };
}

function sessionOf(store: Store<AppState, AppEvent>): SessionState {
  const open = store.latest().sessions[KEY];
  if (!open) throw new Error('no session');
  return open.session;
}

const draw100 = plainDraw({columns: 100});
const drawFor = ({terminals}: SessionState) => ({...draw100, terminals});

/** The names of what is read back on demand. */
const onDisk = (thing: object) =>
  Object.entries(Object.getOwnPropertyDescriptors(thing)).flatMap(([name, field]) =>
    'get' in field ? [name] : [],
  );

const output = (words: string) => `${words} ${'and more of it '.repeat(500)}`;
const call = (id: string, words: string): UntimedEvent =>
  update(
    calls(id, {
      status: 'completed',
      content: [{type: 'content', content: {type: 'text', text: output(words)}}],
      rawInput: {path: id},
      rawOutput: {output: output(words)},
    }),
  );
const story: readonly UntimedEvent[] = [
  prompted('go'),
  call('t1', 'the needle'),
  update(says(output('A long answer'), 'm1')),
  {type: 'terminal_created', terminalId: 'sh', command: 'make', cwd: '/', pty: false, runBy: 'user'},
  {type: 'terminal_output', terminalId: 'sh', data: output('made')},
  {type: 'terminal_exited', terminalId: 'sh', exit: {code: 0, signal: null}},
  ended('end_turn'),
];

describe('large finished entries', () => {
  test('go to disk and read back unchanged', () => {
    const {report} = spilling({folder: temporaryFolder()}, {newest: 0, worthIt: 1000});
    const session = report(...story);
    const [, toolCall, message] = session.entries.slice();
    expect([toolCall, message, session.terminals['sh']].map((thing) => onDisk(thing ?? {}))).toEqual([
      ['content', 'rawOutput'],
      ['content'],
      ['output'],
    ]);
    expect(session).toEqual(fold(opened, ...story));
  });

  test('go with their approved diffs, which may be many and of whole files', () => {
    const {report} = spilling({folder: temporaryFolder()}, {newest: 0, worthIt: 1000});
    const content = [
      {type: 'diff' as const, path: '/a', oldText: output('before'), newText: output('after')},
    ];
    const session = report(
      prompted('go'),
      {
        type: 'permission_requested',
        id: 'p1',
        request: {sessionId: 's1', toolCall: {toolCallId: 't1', title: 'Edit', content}, options: []},
      },
      {
        type: 'permission_resolved',
        id: 'p1',
        toolCallId: 't1',
        decision: {outcome: 'allowed', option: 'Allow', by: 'user'},
      },
      update({sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed', content: []}),
      ended('end_turn'),
    );
    const approved = session.entries.filter(({type}) => type === 'tool_call');
    expect(approved).toMatchObject([{approvedDiffs: [{newText: output('after')}]}]);
    expect(approved.flatMap(onDisk)).toContain('approvedDiffs');
  });

  test('leave no file that others can read, or that a kill would leave behind', () => {
    const folder = temporaryFolder();
    const {report} = spilling({folder}, ALL);
    report(...story);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('are found, copied and exported as before', async () => {
    const {report} = spilling({folder: temporaryFolder()}, ALL);
    const [spilled, kept] = [report(...story), fold(opened, ...story)];
    const lines = (session: SessionState) => linesOf(viewWhole(session, drawFor(session)));
    expect(rowsWith(lines(spilled), 'the needle')).toHaveLength(1);
    expect(lines(spilled)).toEqual(lines(kept));
    expect(textToCopy(spilled, '')).toEqual(textToCopy(kept, ''));
    const facts = {
      title: 'x',
      agent: {label: 'x'},
      cwd: '/',
      additionalDirectories: [],
      createdAt: 0,
      updatedAt: 0,
    };
    for (const form of Object.values(EXPORT_FORMATS)) {
      const written = (session: SessionState) => form.write(documentOf(session, facts, {exportedAt: 1}));
      expect(await written(spilled)).toEqual(await written(kept));
    }
  });

  test('are read once while a viewer shows them, whatever happens below', async () => {
    const {report} = spilling({folder: temporaryFolder()}, ALL);
    const session = report(...story);
    const {view} = createTranscriptRows();
    const draw = (shown: SessionState) =>
      view(
        {session: shown, draw: drawFor(shown), isFolded: () => false, asked: new Set<string>(), end: []},
        START,
        1000,
      );
    draw(session);
    // What is highlighted later is drawn again.
    await setImmediate();
    draw(session);
    const asked = session.entries
      .slice()
      .flatMap((entry) => onDisk(entry).map((name) => vi.spyOn(entry, name as never, 'get')));
    const later = report({
      type: 'terminal_created',
      terminalId: 'other',
      command: 'ls',
      cwd: '/',
      pty: false,
    });
    draw(later);
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.filter((get) => get.mock.calls.length > 0)).toEqual([]);
  });
});

describe('a subagent', () => {
  const reports = (state: acp.StateUpdate, ...updates: readonly Update[]): readonly UntimedEvent[] => [
    update({sessionUpdate: 'subagent_update', sessionId: 'c1', title: 'Reviewer', state}),
    ...updates.map((each) => ({type: 'subagent_updated', sessionId: 'c1', update: each}) as const),
  ];
  const bigCall = (status: acp.ToolCallStatus) =>
    calls('c-t1', {
      status,
      rawInput: {path: output('x')},
      content: [{type: 'terminal', terminalId: 'c-sh'}],
    });
  const ran: readonly UntimedEvent[] = [
    {type: 'terminal_created', terminalId: 'c-sh', command: 'make', cwd: '/', pty: false},
    {type: 'terminal_output', terminalId: 'c-sh', data: output('made')},
    {type: 'terminal_exited', terminalId: 'c-sh', exit: {code: 0, signal: null}},
  ];
  const entriesOf = ({subagents}: SessionState) => subagents['c1']?.session.entries.slice() ?? [];

  test('keeps large finished entries on disk, too, with its commands, unchanged', () => {
    const {report} = spilling({folder: temporaryFolder()}, {newest: 0, worthIt: 1000});
    const begun = report(
      prompted('go'),
      ...reports({state: 'running'}, says(output('Look'), 'm1'), bigCall('in_progress')),
      ...ran,
    );
    expect(entriesOf(begun).map(onDisk)).toEqual([['content'], []]);
    const over = reports({state: 'idle'}, callUpdate('c-t1', {status: 'completed'}));
    const done = report(...over);
    expect(entriesOf(done).map(onDisk)).toEqual([['content'], ['rawInput']]);
    expect(onDisk(done.terminals['c-sh'] ?? {})).toEqual(['output']);
    const kept = fold(
      opened,
      prompted('go'),
      ...reports({state: 'running'}, says(output('Look'), 'm1'), bigCall('in_progress')),
      ...ran,
    );
    expect(done).toEqual(fold(kept, ...over));
  });

  test('keeps its newest entries in memory', () => {
    const {report} = spilling({folder: temporaryFolder()});
    const many = Array.from({length: 100}, (_, id) =>
      calls(String(id), {status: 'completed', rawInput: output('x')}),
    );
    const entries = entriesOf(report(prompted('go'), ...reports({state: 'running'}, ...many)));
    expect(entries.map((entry) => onDisk(entry).length)).toEqual(
      Array.from({length: 100}, (_, place) => (place < 100 - 32 ? 1 : 0)),
    );
  });
});

test('entries that may still change stay in memory until they are finished', () => {
  const {report} = spilling({folder: temporaryFolder()}, ALL);
  const running = report(
    prompted('go'),
    update(calls('t1', {status: 'in_progress', rawInput: output('x')})),
    update(says('An answer that', 'm1')),
  );
  expect(running.entries.slice(1).flatMap(onDisk)).toEqual([]);
  const over = report(ended('end_turn'));
  expect(over.entries.slice(1).flatMap(onDisk)).toEqual(expect.arrayContaining(['rawInput', 'content']));
});

test('the newest entries stay in memory', () => {
  const {report} = spilling({folder: temporaryFolder()});
  const session = report(
    prompted('go'),
    ...Array.from({length: 100}, (_, id) => call(String(id), 'x')),
    ended('end_turn'),
  );
  const places = session.entries.flatMap((entry, place) => (onDisk(entry).length > 0 ? [place] : []));
  expect(places).toEqual(Array.from({length: 102 - 32 - 1}, (_, place) => place + 1));
});

test('an unwritable disk leaves everything in memory', () => {
  const write = () => {
    throw Object.assign(new Error('no space left'), {code: 'ENOSPC'});
  };
  const {report} = spilling({folder: temporaryFolder(), write}, ALL);
  const session = report(...story);
  expect(session.entries.slice().flatMap(onDisk)).toEqual([]);
  expect(session).toEqual(fold(opened, ...story));
});

test('a session continues from disk as from memory after any sequence of events', () => {
  const folder = temporaryFolder();
  fc.assert(
    fc.property(fc.array(fc.array(anyEvent, {maxLength: 12}), {maxLength: 4}), (parts) => {
      const {report} = spilling({folder}, ALL);
      let kept = opened;
      for (const part of parts) {
        kept = fold(kept, ...part);
        expect(report(...part)).toEqual(kept);
      }
    }),
  );
});
