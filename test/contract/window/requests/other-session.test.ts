import {describe, expect, test} from 'vitest';
import {draftOf} from '../../../../src/app/editor/draft.ts';
import type {AppEvent} from '../../../../src/app/events.ts';
import {createTab, initialApp} from '../../../../src/app/initial.ts';
import {mcpPicker} from '../../../../src/app/pickers/mcp-picker.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import type {RewindPoint} from '../../../../src/session/rewind.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {createStore} from '../../../../src/shared/store.ts';
import {runEffect} from '../../../../src/window/effects/effects.ts';
import type {EffectContext} from '../../../../src/window/effects/effect-context.ts';

const tabOf = (key: string) => ({
  key,
  agentLabel: 'some',
  session: initialSession({cwd: '/', additionalDirectories: [], at: 0}),
  approval: undefined,
});

const point: RewindPoint = {
  kind: 'prompt',
  turn: 1,
  text: 'go',
  at: 0,
  snapshot: undefined,
  changed: undefined,
};

/** The answers of a session, all of which take until `go`. */
function slowClient(go: Promise<void>) {
  const after =
    <T>(value: T) =>
    () =>
      go.then(() => value);
  return {
    planUndo: after({turn: 3, files: [{path: '/a', does: 'restore'}]}),
    rewindPoints: after([point]),
    planRewind: after({point, now: '', files: [], uncovered: []}),
    listProviders: after({ok: true, value: []}),
    listMcpServers: after([]),
    stderrTail: after(''),
  };
}

describe.each([
  {kind: 'plan_undo'},
  {kind: 'show_rewind'},
  {kind: 'plan_rewind', point},
  {kind: 'show_providers'},
  {kind: 'show_mcp'},
  {kind: 'show_log'},
] as const)('is not shown late: $kind', (effect) => {
  test.each<[string, readonly AppEvent[], string]>([
    [
      'over another session, on which its keys would act',
      [
        {type: 'session_added', key: 'two', tab: createTab({...tabOf('two'), at: 0})},
        {type: 'session_activated', key: 'two'},
      ],
      'Not shown: another session is on the screen now.',
    ],
    [
      'over what is being typed, which its keys would take',
      [{type: 'draft_changed', key: 'one', draft: draftOf('and th'), at: 0}],
      'Not shown: you have gone on meanwhile.',
    ],
  ])('%s', async (_, events, toast) => {
    const store = createStore(reduceApp, initialApp({session: tabOf('one'), theme: 'dark'}));
    const {promise, resolve} = Promise.withResolvers<void>();
    const client = slowClient(promise);
    const context = {store, sessions: {clientOf: () => client}} as unknown as EffectContext;
    runEffect({...effect, key: 'one'}, context);
    for (const event of events) store.dispatch(event);
    resolve();
    await expect.poll(() => store.latest().toast?.text).toBe(toast);
    expect(store.latest().overlay).toEqual({kind: 'none'});
  });
});

/** A window in which `show_rewind` takes until `go`. */
function slowRewind() {
  const store = createStore(reduceApp, initialApp({session: tabOf('one'), theme: 'dark'}));
  const go = Promise.withResolvers<void>();
  const log = Promise.withResolvers<string>();
  const client = {...slowClient(go.promise), stderrTail: () => log.promise};
  const context = {store, sessions: {clientOf: () => client}} as unknown as EffectContext;
  const ask = (kind: 'show_rewind' | 'show_log') => runEffect({kind, key: 'one'}, context);
  return {store, go: go.resolve, readLog: () => log.resolve('started'), ask};
}

describe('a list that comes late', () => {
  test.each<[string, AppEvent]>([
    ['the transcript', {type: 'overlay_opened', overlay: {kind: 'transcript'}}],
    ['the help', {type: 'help_opened'}],
    [
      'a list',
      {type: 'overlay_opened', overlay: {kind: 'picker', picker: mcpPicker([], tabOf('one').session)}},
    ],
  ])('does not replace what a key has opened since: %s', async (_, opened) => {
    const {store, go, ask} = slowRewind();
    ask('show_rewind');
    store.dispatch(opened);
    const {overlay} = store.latest();
    go();
    await expect.poll(() => store.latest().toast?.text).toBe('Not shown: you have gone on meanwhile.');
    expect(store.latest().overlay).toBe(overlay);
  });

  test('does not replace what was asked for after it', async () => {
    const {store, go, readLog, ask} = slowRewind();
    ask('show_rewind');
    ask('show_log');
    readLog();
    await expect.poll(() => store.latest().overlay.kind).toBe('text');
    go();
    await expect.poll(() => store.latest().toast?.text).toBe('Not shown: you have gone on meanwhile.');
    expect(store.latest().overlay.kind).toBe('text');
  });

  test('replaces what was asked for before it', async () => {
    const {store, go, readLog, ask} = slowRewind();
    ask('show_log');
    ask('show_rewind');
    readLog();
    await expect.poll(() => store.latest().overlay.kind).toBe('text');
    go();
    await expect.poll(() => store.latest().overlay.kind).toBe('picker');
  });
});

test('a server that is switched stays so in its list although something was typed into it meanwhile', async () => {
  const store = createStore(reduceApp, initialApp({session: tabOf('one'), theme: 'dark'}));
  const {promise, resolve} = Promise.withResolvers<void>();
  const row = {name: 'files', transport: 'stdio', from: '.mcp.json', what: 'files'} as const;
  const client = {
    toggleMcpServer: () => promise.then(() => ({ok: true})),
    listMcpServers: async () => [{...row, next: 'off'}],
  };
  const context = {
    store,
    sessions: {clientOf: () => client},
    report: () => undefined,
  } as unknown as EffectContext;
  const picker = mcpPicker([{...row, next: 'on'}], tabOf('one').session);
  store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}});
  runEffect({kind: 'switch_mcp', key: 'one', name: 'files'}, context);
  store.dispatch({type: 'picker_changed', change: {filter: 'fi'}});
  resolve();
  await expect
    .poll(() => store.latest().overlay)
    .toMatchObject({picker: {filter: 'fi', items: [{description: 'off · stdio · .mcp.json'}]}});
});
