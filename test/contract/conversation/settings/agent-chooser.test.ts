import {describe, expect, test} from 'vitest';
import {showAgents} from '../../../../src/app/pickers/agent-picker.ts';
import {initialApp} from '../../../../src/app/initial.ts';
import {draftOf} from '../../../../src/app/editor/draft.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import type {FetchedRegistry, KnownRegistry, Registry} from '../../../../src/agents/registry.ts';
import {createAgentChooser, type WindowAgents} from '../../../../src/window/agents/agent-chooser.ts';
import type {MissingAgent} from '../../../../src/agents/programs.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import type {UserQuestion} from '../../../../src/session/actions.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {createStore} from '../../../../src/shared/store.ts';
import type {AgentList} from '../../../../src/app/pickers/listings.ts';

const goose = {
  id: 'goose',
  name: 'Goose',
  version: '1.0.0',
  description: 'Does it',
  authors: [],
  distribution: {npx: {package: 'goose', args: [], env: {}}},
};
const HOUR = 3_600_000;
const known = (hoursAgo: number): KnownRegistry => ({
  entries: [goose],
  left: [],
  checkedAt: Date.now() - hoursAgo * HOUR,
});

interface Situation {
  readonly kept?: KnownRegistry;
  readonly mayContact?: boolean;
  readonly answer?: FetchedRegistry;
  readonly missing?: readonly MissingAgent[];
}

/** A window with the list of agents open, whose registry responds on request of the test. */
function openList({kept, mayContact = false, answer = {registry: known(0)}, missing = []}: Situation) {
  const session = initialSession({cwd: '/project', additionalDirectories: ['/lib'], at: 0});
  const store = createStore(
    reduceApp,
    initialApp({session: {key: 'one', agentLabel: 'demo', session, approval: 'none'}, theme: 'dark'}),
  );
  const lists: AgentList[] = [];
  store.onEvent((event) => {
    if (event.type === 'agents_found') lists.push(event.list);
  });
  const answered = Promise.withResolvers<void>();
  const did: unknown[] = [];
  const asked: UserQuestion[] = [];
  let now = kept;
  const registry: Registry = {
    shownUrl: 'https://example.org/registry.json',
    cached: () => now,
    async fetch() {
      did.push('asked');
      await answered.promise;
      now = answer.registry;
      return answer;
    },
  };
  const agents: WindowAgents = {
    local: () => ({configured: {mine: {command: 'mine'}}, programs: [], installed: [], missing}),
    registry,
    mayContact: () => mayContact,
    async allowContact() {
      did.push('allowed');
      return {ok: true, value: undefined};
    },
    async optionsFor(agent, {isConfined, ...folders}) {
      if (isConfined) did.push(`confined ${agent}`);
      if (agent === 'broken') return {ok: false, failure: {kind: 'bad_agent', agent, problem: 'no'}};
      return {ok: true, value: {agent: {label: agent}, ...folders} as ConversationOptions};
    },
    folder: '/nowhere',
    remember: (agent) => void did.push(`remembered ${agent}`),
  };
  const chooser = createAgentChooser({
    store,
    agents,
    async askUser(question) {
      asked.push(question);
      return false;
    },
    async open({agent: {label}, cwd, additionalDirectories}) {
      did.push([label, cwd, additionalDirectories]);
      return label === 'mine'
        ? {ok: true, value: undefined}
        : {ok: false, failure: {kind: 'internal', problem: ''}};
    },
  });
  for (const event of showAgents().events) store.dispatch(event);
  return {store, lists, did, asked, chooser, answers: () => answered.resolve()};
}

const idsIn = (list: AgentList | undefined) => list?.rows.map(({id}) => id);

describe('the list of agents', () => {
  test('shows local agents and makes no request without consent', async () => {
    const {chooser, lists, did} = openList({});
    await chooser.find('if_allowed');
    expect(lists.map((list) => [idsIn(list), list.registry.kind])).toEqual([[['mine', 'demo'], 'not_asked']]);
    expect(did).toEqual([]);
  });

  test('does not wait for the registry, and remembers the consent to load it', async () => {
    const {chooser, lists, did, answers} = openList({});
    const finding = chooser.find('now');
    await Promise.resolve();
    expect(lists.map((list) => [idsIn(list), list.registry.kind])).toEqual([[['mine', 'demo'], 'asking']]);
    answers();
    await finding;
    expect(idsIn(lists.at(-1))).toEqual(['mine', 'demo', 'goose']);
    expect(lists.at(-1)?.registry.kind).toBe('known');
    expect(did).toEqual(['asked', 'allowed']);
  });

  test.each([
    ['is old', 2, ['asked']],
    ['is new', 0, []],
  ])('with consent reloads by itself when the cache %s', async (_what, hoursAgo, asked) => {
    const {chooser, did, answers} = openList({mayContact: true, kept: known(hoursAgo)});
    answers();
    await chooser.find('if_allowed');
    expect(did).toEqual(asked);
  });

  test('says why the registry is unavailable, and shows the cached one', async () => {
    const failure = {kind: 'download', url: 'https://example.org/', reason: 'stalled'} as const;
    const kept = known(2);
    const {chooser, lists, answers} = openList({mayContact: true, kept, answer: {registry: kept, failure}});
    answers();
    await chooser.find('if_allowed');
    expect(idsIn(lists.at(-1))).toContain('goose');
    expect(lists.at(-1)?.registry).toMatchObject({kind: 'failed', checkedAt: kept.checkedAt});
  });
});

test('a well-known agent that is missing is installed after loading the registry', async () => {
  const {chooser, did, asked, answers} = openList({missing: [{id: 'goose', name: 'Goose'}]});
  const choosing = chooser.choose('goose');
  answers();
  await choosing;
  expect(did).toContain('asked');
  expect(asked).toHaveLength(1);
});

describe('a selected agent', () => {
  test('gets a session in the same folders and becomes the last used one', async () => {
    const {chooser, did} = openList({});
    const choosing = chooser.choose('mine');
    expect(chooser.isChoosing()).toBe(true);
    await choosing;
    expect(chooser.isChoosing()).toBe(false);
    expect(did).toEqual([['mine', '/project', ['/lib']], 'remembered mine']);
  });

  test('starts in the sandbox the agent that goes on with a session in the sandbox, closed or not', async () => {
    const {store, chooser, did} = openList({});
    const sandbox = {writable: ['/project'], hosts: [], network: 'none', sandboxSockets: 'none'} as const;
    const session = {...store.latest().sessions['one']!.session, sandbox};
    await chooser.choose('mine', {began: store.latest(), session, onAdded() {}});
    expect(did[0]).toBe('confined mine');
  });

  test('that does not start does not become the last used one', async () => {
    const {chooser, did} = openList({});
    await chooser.choose('demo');
    expect(did).toEqual([['demo', '/project', ['/lib']]]);
  });

  test('that is invalid is reported above the list', async () => {
    const {chooser, store} = openList({});
    store.dispatch({type: 'overlay_closed', at: 0});
    const done = await chooser.choose('broken');
    expect(done).toMatchObject({ok: false, failure: {kind: 'bad_agent'}});
    expect(store.latest().overlay).toMatchObject({
      kind: 'picker',
      picker: {purpose: {kind: 'agents'}, title: 'New session with another agent'},
    });
  });

  test('that is invalid is not reported by a list over what is being typed', async () => {
    const {chooser, store} = openList({});
    store.dispatch({type: 'overlay_closed', at: 0});
    const choosing = chooser.choose('broken');
    store.dispatch({type: 'draft_changed', key: 'one', draft: draftOf('and th'), at: 0});
    expect(await choosing).toMatchObject({ok: false, failure: {kind: 'bad_agent'}});
    expect(store.latest().overlay).toEqual({kind: 'none'});
  });

  test('that is invalid at the first start leads back to the list', async () => {
    const {chooser, store} = openList({});
    const event = {type: 'connection_changed', connection: {kind: 'closed'}, at: 0} as const;
    store.dispatch({type: 'session', key: 'one', event, at: performance.now()});
    store.dispatch({type: 'overlay_closed', at: 0});
    await chooser.choose('broken');
    expect(store.latest().overlay).toMatchObject({
      picker: {title: 'Which agent?', closing: 'demo'},
    });
  });
});

describe('an agent that is not installed', () => {
  test("is confirmed with the registry's install plan, which stores no consent", async () => {
    const {chooser, did, asked, answers} = openList({});
    answers();
    await chooser.install('goose');
    expect(asked).toMatchObject([{title: 'Install Goose 1.0.0 (goose)?'}]);
    expect(did).toEqual(['asked']);
  });

  test('that the registry does not have is reported above the list', async () => {
    const {chooser, store, asked, answers} = openList({});
    store.dispatch({type: 'overlay_closed', at: 0});
    answers();
    await chooser.install('nonesuch');
    expect(asked).toEqual([]);
    expect(store.latest().toast?.text).toContain('No agent nonesuch in the registry');
    expect(store.latest().overlay).toMatchObject({picker: {purpose: {kind: 'agents'}}});
  });

  test('is reported above the list if the registry cannot be reached', async () => {
    const failure = {kind: 'download', url: 'https://example.org/', reason: 'stalled'} as const;
    const {chooser, store, answers} = openList({
      missing: [{id: 'goose', name: 'Goose'}],
      answer: {registry: undefined, failure},
    });
    store.dispatch({type: 'overlay_closed', at: 0});
    answers();
    expect(await chooser.choose('goose')).toEqual({ok: false, failure});
    expect(store.latest().overlay).toMatchObject({picker: {purpose: {kind: 'agents'}}});
  });
});

describe('an agent of the registry', () => {
  test('is installed only after confirming all downloads and commands', async () => {
    const {chooser, store, did, asked} = openList({kept: known(0)});
    store.dispatch({type: 'overlay_closed', at: 0});
    await chooser.choose('goose');
    expect(asked).toMatchObject([
      {
        title: 'Install Goose 1.0.0 (goose)?',
        text: expect.stringMatching(
          /Does it\n\nlicense .*\nfrom +npm: goose@1\.0\.0.*\nruns +npm install.*\ninto +\/nowhere\/.*\nstarts +goose\n/,
        ),
      },
    ]);
    expect(did).toEqual([]);
    expect(store.latest().overlay).toMatchObject({kind: 'picker', picker: {purpose: {kind: 'agents'}}});
  });
});
