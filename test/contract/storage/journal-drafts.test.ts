import {expect, test} from 'vitest';
import type {AppEvent} from '../../../src/app/events.ts';
import {initialApp} from '../../../src/app/initial.ts';
import {draftOf, draftText} from '../../../src/app/editor/draft.ts';
import {insertFiles} from '../../../src/app/editor/insert.ts';
import {formOf} from '../../../src/app/requests/form.ts';
import {goTo, withDraft} from '../../../src/app/requests/form-values.ts';
import {submitPrompt} from '../../../src/app/queue/queue.ts';
import {reduceApp} from '../../../src/app/reduce.ts';
import {initialReviewView} from '../../../src/app/review/review-view.ts';
import {restoreUnsent} from '../../../src/app/sessions.ts';
import type {AppState} from '../../../src/app/state.ts';
import {journalDrafts} from '../../../src/window/sessions/journal-drafts.ts';
import {
  journalText,
  parseJournal,
  type JournalState,
  type Journal,
} from '../../../src/storage/drafts/journal.ts';
import {readFields} from '../../../src/session/forms/form-schema.ts';
import {initialSession} from '../../../src/session/initial.ts';
import type {QueueState} from '../../../src/session/queue/queue.ts';
import {createStore, type Store} from '../../../src/shared/store.ts';
import {aReview} from '../../support/session/a-review.ts';
import {queueOf} from '../../support/window/queue-of-store.ts';

const KEY = 'one';

function openWindow(): Store<AppState, AppEvent> {
  const session = initialSession({cwd: '/home/user', additionalDirectories: [], at: 0});
  return createStore(
    reduceApp,
    initialApp({session: {key: KEY, agentLabel: 'x', session, approval: 'none'}, theme: 'dark'}),
  );
}

const type = (store: Store<AppState, AppEvent>, text: string) =>
  store.dispatch({type: 'draft_changed', key: KEY, draft: draftOf(text), at: 1});

function remembering(): Journal & {readonly written: JournalState[]} {
  const written: JournalState[] = [];
  return {
    written,
    write: (state) => void written.push(state),
    orphans: () => [],
    ofSession: () => undefined,
    close: () => {},
  };
}

const journalOf = (store: Store<AppState, AppEvent>, journal: Journal) =>
  journalDrafts(store, {
    journal,
    restore: (unsent) => queueOf(store).take(restoreUnsent(KEY, unsent)),
  });

test('stores typed text right after the key, once for keys that come together', async () => {
  const store = openWindow();
  const journal = remembering();
  journalOf(store, journal);
  type(store, 'h');
  type(store, 'hi');
  expect(journal.written).toEqual([]);
  await expect.poll(() => journal.written).toEqual([{draft: 'hi', queue: []}]);
});

test('stores what is typed into a form, before the draft, and no secrets', async () => {
  const store = openWindow();
  const journal = remembering();
  journalOf(store, journal);
  type(store, 'next');
  const fields = readFields({properties: {name: {type: 'string'}, password: {type: 'string'}}});
  const asked = {mode: 'form', message: 'Who?', fields} as const;
  const event = {type: 'elicitation_requested', id: 'f', asked, at: 1} as const;
  store.dispatch({type: 'session', key: KEY, event, at: 1});
  const form = withDraft(formOf(fields), draftOf('Ada'));
  store.dispatch({type: 'form_changed', key: KEY, id: 'f', form});
  store.dispatch({
    type: 'form_changed',
    key: KEY,
    id: 'f',
    form: withDraft(goTo(form, 1), draftOf('hunter2')),
  });
  await expect.poll(() => journal.written.at(-1)).toEqual({draft: 'Ada\nnext', queue: []});
});

test('stores the last change on quitting, even if it is not yet due', () => {
  const store = openWindow();
  const journal = remembering();
  const writeLast = journalOf(store, journal);
  type(store, 'almost lost');
  writeLast();
  expect(journal.written).toEqual([{draft: 'almost lost', queue: []}]);
});

test('stores what is typed on the board, a reply with its session, while it is open and once it is closed', async () => {
  const store = openWindow();
  const journal = remembering();
  journalOf(store, journal);
  type(store, 'in its draft');
  const kept = {[KEY]: draftOf('half a reply')};
  store.dispatch({type: 'board_opened'});
  store.dispatch({type: 'board_changed', change: {draft: draftOf('a new task'), kept}});
  const draft = 'a new task\nhalf a reply\nin its draft';
  await expect.poll(() => journal.written.at(-1)).toEqual({draft, queue: []});
  const {length} = journal.written;
  store.dispatch({type: 'board_closed'});
  await expect.poll(() => journal.written.slice(length)).toEqual([{draft, queue: []}]);
});

test.each(['comment', 'commit'] as const)('stores the %s that is typed into a review', async (what) => {
  const store = openWindow();
  const journal = remembering();
  journalOf(store, journal);
  const overlay = {kind: 'review', ...initialReviewView(KEY, aReview())} as const;
  store.dispatch({type: 'overlay_opened', overlay});
  store.dispatch({type: 'review_changed', change: {typing: {what, draft: draftOf('why so')}}});
  await expect.poll(() => journal.written).toEqual([{draft: 'why so', queue: []}]);
  store.dispatch({type: 'review_changed', change: {typing: undefined}});
  await expect.poll(() => journal.written.at(-1)).toEqual({draft: '', queue: []});
});

test('restores what an earlier run left behind, only once', () => {
  const store = openWindow();
  let claims = 0;
  const orphan = {state: {draft: 'from before', queue: ['and this']}, at: 1, claim: () => ++claims === 1};
  const journal = {...remembering(), orphans: () => [orphan]};
  journalOf(store, journal);
  const tab = store.latest().sessions[KEY];
  expect(tab && draftText(tab.draft)).toBe('from before');
  expect(tab?.session.queue.prompts.map(({text}) => text)).toEqual(['and this']);
  const other = openWindow();
  journalOf(other, journal);
  expect(other.latest().sessions[KEY]?.session.queue.prompts).toEqual([]);
});

test('stores the drafts of several sessions together, each with its files', async () => {
  const store = openWindow();
  const [one] = Object.values(store.latest().sessions);
  if (one) store.dispatch({type: 'session_added', key: 'two', tab: {...one, key: 'two'}});
  const journal = remembering();
  journalOf(store, journal);
  const attached = (name: string) => ({path: `/home/user/${name}`, name, kind: 'file'}) as const;
  const draftWith = (text: string, name: string) =>
    insertFiles(draftOf(text), [attached(name)], {from: 0, to: 0});
  const at = 1;
  store.dispatch({type: 'draft_changed', key: KEY, draft: draftWith('in one', 'a.ts'), at});
  store.dispatch({type: 'draft_changed', key: 'two', draft: draftWith('in two', 'b.ts'), at});
  queueOf(store).take(submitPrompt(KEY, {text: 'see @c.ts', files: [attached('c.ts')]}));
  const files = {draft: [attached('a.ts')], queue: [[attached('c.ts')], [attached('b.ts')]]};
  const written = {draft: '@a.ts in one', queue: ['see @c.ts', '@b.ts in two'], files};
  await expect.poll(() => journal.written).toEqual([written]);
});

test('stores what was typed before the journal was opened, too', () => {
  const store = openWindow();
  type(store, 'early bird');
  const journal = remembering();
  journalOf(store, journal);
  expect(journal.written).toEqual([{draft: 'early bird', queue: []}]);
});

test('files and outputs stay with their draft and their prompt, also of several sessions', () => {
  const store = openWindow();
  const journal = remembering();
  const writeLast = journalOf(store, journal);
  const tab = store.latest().sessions[KEY]!;
  const output = (id: string) => ({id, command: id, exit: {code: 0, signal: null}, text: id, isCut: false});
  const prompt = {id: 'p', text: 'queued', content: [], outputs: [output('b')]};
  const {session} = tab;
  const withQueue = (queue: Partial<QueueState>) => ({...session, queue: {...session.queue, ...queue}});
  const sessions = [
    {...tab, key: 'bare', session: withQueue({outputs: [output('a')]})},
    {...tab, key: 'first', draft: draftOf('one'), session: withQueue({prompts: [prompt]})},
    {...tab, key: 'second', draft: draftOf('two'), session: withQueue({outputs: [output('c')]})},
  ];
  for (const each of sessions) store.dispatch({type: 'session_added', key: each.key, tab: each});
  writeLast();
  const state = journal.written.at(-1)!;
  expect(state).toMatchObject({draft: 'one', queue: ['queued', 'two']});
  expect(state.outputs?.draft.map(({id}) => id)).toEqual(['a']);
  expect(state.outputs?.queue.map((outputs) => outputs.map(({id}) => id))).toEqual([['b'], ['c']]);
  expect(parseJournal(journalText('/home/user', state))?.state).toEqual(state);
});

test('stores a prompt whose files are being read until its turn has started', async () => {
  const store = openWindow();
  const journal = remembering();
  journalOf(store, journal);
  const connection = {kind: 'ready'} as const;
  store.dispatch({type: 'session', key: KEY, event: {type: 'connection_changed', connection, at: 1}, at: 1});
  queueOf(store).take(submitPrompt(KEY, {text: 'see @a.ts'}));
  await expect.poll(() => journal.written.length).toBe(1);
  const [queued] = store.latest().sessions[KEY]?.session.queue.prompts ?? [];
  queueOf(store).change(KEY, {kind: 'taken', id: queued?.id ?? ''});
  await expect.poll(() => journal.written.length).toBe(2);
  expect(journal.written.map(({queue}) => queue)).toEqual([['see @a.ts'], ['see @a.ts']]);
  const content = [{type: 'text' as const, text: 'see @a.ts'}];
  store.dispatch({
    type: 'session',
    key: KEY,
    event: {type: 'prompt_started', turn: 1, content, at: 2},
    at: 2,
  });
  await expect.poll(() => journal.written.at(-1)?.queue).toEqual([]);
});
