import {mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {draftOf} from '../../../../src/app/editor/draft.ts';
import {initialApp} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import type {AgentCommand} from '../../../../src/agents/resolve.ts';
import type {AgentInFolder, ConversationOptions} from '../../../../src/conversation/options.ts';
import type {ListedSession} from '../../../../src/session/actions.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {createStore} from '../../../../src/shared/store.ts';
import type {EffectContext} from '../../../../src/window/effects/effect-context.ts';
import {sessionEffects} from '../../../../src/window/effects/session-effects.ts';
import {joinSessions} from '../../../../src/window/sessions/session-rows.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {chooseFromList} from '../../../support/window/chosen.ts';
import {noPermissions} from '../../conversation/conversation-defaults.ts';
import {FIRST, openWindowIn} from '../../conversation/open-window.ts';
import {conversation, storeConversation, storeIn} from '../../storage/stores.ts';

const agent = {label: 'some', command: 'some', args: [], env: {}};

/** What the settings say of an agent: of the first one, more than of others. */
const optionsOf = (label: string) => ({
  provider: {id: label, apiType: 'openai', baseUrl: `http://${label}`},
  offer: {fs: label === 'some', terminal: label === 'some'},
  approval: label === 'some' ? ('all' as const) : ('none' as const),
  limits: {},
  newSettings: {mode: label, options: []},
  permissions: {...noPermissions, add: () => Promise.reject(new Error(label))},
});

/** A window in a project beside a folder of keys, whose agent lists one session. */
function listing(
  folders: (place: {readonly project: string; readonly keys: string}) => Partial<ListedSession>,
  {lister, fork = false, sandbox}: {lister?: AgentCommand; fork?: boolean; sandbox?: object} = {},
) {
  const base = temporaryFolder();
  const [project, keys] = [join(base, 'project'), join(base, '.ssh')];
  for (const folder of [project, keys]) mkdirSync(folder);
  const session = initialSession({cwd: project, additionalDirectories: [], at: 0});
  const store = createStore(
    reduceApp,
    initialApp({session: {key: 'one', agentLabel: 'some', session, approval: 'none'}, theme: 'dark'}),
  );
  const listed: ListedSession = {
    sessionId: 'old',
    title: 'Old',
    updatedAt: 1,
    cwd: project,
    additionalDirectories: [],
    ...folders({project, keys}),
  };
  const found = joinSessions([], [{name: 'some', agent: lister, sessions: [listed]}]);
  const opened: ConversationOptions[] = [];
  const kept: AgentInFolder['kept'][] = [];
  const context = {
    store,
    began: store.latest(),
    optionsForAgent(of: AgentInFolder) {
      kept.push(of.kept);
      return optionsOf(of.agent.label);
    },
    sessions: {
      finder: {found: (row: string) => found.get(row)},
      optionsOf: () =>
        ({
          ...optionsOf('some'),
          agent,
          cwd: project,
          additionalDirectories: [],
          systemPrompt: {append: 'of some'},
          authMethod: 'of some',
          sandbox,
        }) as unknown as ConversationOptions,
      open: ({options}: {readonly options: ConversationOptions}) => void opened.push(options),
    },
    storage: {sessions: storeIn(temporaryFolder()), recording: {id: () => undefined}},
  } as unknown as EffectContext;
  const resume = () => sessionEffects.resume_session({row: 'old', fork}, context);
  async function answer(id: string): Promise<void> {
    for (const effect of chooseFromList(store.latest(), id).effects)
      if (effect.kind === 'resume_session') await sessionEffects.resume_session(effect, context);
  }
  const asked = () => {
    const {overlay} = store.latest();
    return overlay.kind === 'picker' ? overlay.picker : undefined;
  };
  const roots = () => opened.map(({cwd, additionalDirectories}) => [cwd].concat(additionalDirectories));
  return {project, keys, resume, answer, asked, roots, opened, kept};
}

const other = {label: 'other', command: 'other', args: [], env: {}};

test('a session of another agent gets what its own settings say, and nothing of the first', async () => {
  const {project, resume, opened} = listing(() => ({}), {lister: other, sandbox: {}});
  await resume();
  const {permissions, ...said} = optionsOf('other');
  expect(opened).toEqual([
    {
      ...said,
      agent: other,
      cwd: project,
      additionalDirectories: [],
      realFolders: {[project]: project},
      settings: {options: []},
      opening: {kind: 'continue', sessionId: 'old', fork: false},
      permissions: expect.anything(),
    },
  ]);
  await expect(opened[0]?.permissions?.add({effect: 'deny', text: 'x'})).rejects.toThrow('other');
  expect(permissions).toBeDefined();
});

describe('a session that only its agent lists', () => {
  test('is opened at once in the folder of the window, or below it', async () => {
    const {project, resume, asked, roots} = listing((place) => ({
      additionalDirectories: [join(place.project, 'docs')],
    }));
    mkdirSync(join(project, 'docs'));
    await resume();
    expect(asked()).toBeUndefined();
    expect(roots()).toEqual([[project, join(project, 'docs')]]);
  });

  test.each([true, false])('is confined if the session of the window is: %s', async (isConfined) => {
    const {resume, kept} = listing(() => ({}), isConfined ? {sandbox: {}} : {});
    await resume();
    expect(kept).toEqual([{sandbox: isConfined ? {} : undefined}]);
  });

  const forked = {fork: true};
  const further = ({keys}: {readonly keys: string}) => ({additionalDirectories: [keys]});
  test.each([
    ['a further folder', further, {}],
    ['another folder', ({keys}: {readonly keys: string}) => ({cwd: keys}), {}],
    ['a further folder, of another agent,', further, {lister: other}],
    ['a further folder, as a fork,', further, forked],
  ])('gets %s only after a question that names it', async (_, folders, how) => {
    const {project, keys, resume, answer, asked, roots, opened} = listing(folders, how);
    await resume();
    expect(roots()).toEqual([]);
    expect(asked()?.note).toContain(keys);
    expect(asked()?.items[asked()?.selected ?? -1]?.id).toBe('cancel');
    await answer('cancel');
    expect(roots()).toEqual([]);
    await resume();
    await answer('here');
    expect(roots()).toEqual([[project]]);
    await resume();
    await answer('allow');
    expect(roots()[1]).toContain(keys);
    const fork = how === forked;
    for (const {opening} of opened) expect(opening).toEqual({kind: 'continue', sessionId: 'old', fork});
  });

  test.each([
    ['cancel', []],
    ['here', [{additionalDirectories: []}]],
  ])('is stored without the folders that the user refused, for the next time: %s', async (id, stored) => {
    const [state, keys] = [temporaryFolder(), temporaryFolder()];
    const row = {sessionId: 'old', cwd: keys, additionalDirectories: [keys]};
    const script = {
      initialize: {agentCapabilities: {loadSession: true, sessionCapabilities: {list: {}}}},
      results: {'session/list': {sessions: [row]}},
      turns: [[]],
    };
    const {store, sessions, prompt, until} = await openWindowIn({state}, 'script', JSON.stringify(script));
    const {cwd} = sessions.optionsOf(FIRST);
    sessions.finder.find('everywhere');
    await expect.poll(() => sessions.finder.found('old')).toBeDefined();
    sessions.perform({kind: 'resume_session', row: 'old', fork: false});
    await until(({overlay}) => overlay.kind === 'picker');
    for (const effect of chooseFromList(store.latest(), id).effects) sessions.perform(effect);
    if (id === 'here') {
      await until((now) => now.sessions[now.active]?.session.sessionId === 'old');
      prompt(store.latest().active, 'go');
      await until((now) => now.sessions[now.active]?.session.lastTurn !== undefined);
    }
    await sessions.closeAll();
    const listed = storeIn(state).list({});
    expect(listed).toMatchObject({value: stored.map((each) => ({...each, cwd}))});
  });

  test('gets the folders that were judged, whatever is in their place by then', async () => {
    const {project, resume, opened} = listing(({project}) => ({
      cwd: join(project, 'link'),
      additionalDirectories: [join(project, 'docs')],
    }));
    const [docs, link] = [join(project, 'docs'), join(project, 'link')];
    mkdirSync(docs);
    symlinkSync(docs, link);
    await resume();
    expect(opened).toMatchObject([{cwd: link, realFolders: {[link]: docs, [docs]: docs}}]);
  });

  test('is asked about with the folder that a link in the workspace leads to', async () => {
    const {project, keys, resume, asked, roots} = listing((place) => ({
      additionalDirectories: [join(place.project, 'docs')],
    }));
    symlinkSync(keys, join(project, 'docs'));
    await resume();
    expect(roots()).toEqual([]);
    expect(asked()?.note).toContain(keys);
  });
});

test.each([
  ['', 'session-2', false],
  ['and th', FIRST, true],
])(
  'a session that is slow to resume takes the screen unless the user has gone on typing: %j',
  async (typed, shown, isSaid) => {
    const state = temporaryFolder();
    const id = storeConversation(storeIn(state), conversation([['Why?', 'Because.']]));
    const {promise, resolve} = Promise.withResolvers<{ok: true; value: undefined}>();
    const done = {ok: true, value: undefined} as const;
    const background = {
      start: () => undefined,
      attach: () => promise,
      running: async () => undefined,
      reach: async () => done,
      resume: async () => done,
      resumeAtEnd: () => undefined,
    };
    const {store, sessions, converse, until} = await openWindowIn({state, background}, 'echo');
    await converse(FIRST, 'one');
    sessions.perform({kind: 'resume_session', row: id, fork: false});
    if (typed !== '') store.dispatch({type: 'draft_changed', key: FIRST, draft: draftOf(typed), at: 0});
    resolve(done);
    await until((now) => now.sessions['session-2'] !== undefined);
    expect(store.latest()).toMatchObject({active: shown});
    expect(store.latest().toast?.text === '"Why?" is open in session 2.').toBe(isSaid);
  },
);
