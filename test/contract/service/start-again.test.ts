import {expect, test} from 'vitest';
import {attachSession, startAndAttach} from '../../../src/service/attached-session.ts';
import type {ServiceClient} from '../../../src/service/service-client.ts';
import {fail, type Result} from '../../../src/shared/failure.ts';
import type {BackgroundSessions, NewSessionOptions} from '../../../src/window/effects/effect-context.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {openService, orThrow, says, windowOn} from './open-service.ts';
import {FIRST, openWindowIn} from '../conversation/open-window.ts';

const WHY = 'what the service says';

/** A service that refuses to start a session, once; what it was asked for is in `wanted`. */
function refusing(over: Partial<BackgroundSessions> = {}, wanted: object[] = []): BackgroundSessions {
  return {
    start({options, session, before, wasAttached}: NewSessionOptions) {
      wanted.push({wasAttached});
      if (wanted.length > 1) return undefined;
      const {cwd, additionalDirectories} = options;
      const service = {
        start: async () => fail({kind: 'not_offered', what: 'this session', why: WHY}),
      } as Partial<ServiceClient> as ServiceClient;
      return startAndAttach(Promise.resolve({ok: true, value: service}), {
        start: {given: {} as never, prompt: undefined, environment: {}},
        session: session ?? initialSession({cwd, additionalDirectories, at: 0}),
        continues: before?.continues,
      });
    },
    attach: async () => ({ok: true, value: undefined}),
    running: async () => undefined,
    reach: async () => ({ok: true, value: undefined}),
    resume: async () => ({ok: true, value: undefined}),
    resumeAtEnd: () => undefined,
    ...over,
  };
}

test('a session that the service does not start says why, and is started again', async () => {
  const window = await openWindowIn({background: refusing()}, 'echo');
  await window.converse(FIRST, 'one');
  await window.openWith({}, 'echo');
  const refused = window.store.latest().active;
  await window.until(() => window.session(refused)?.session.connection.kind === 'closed');
  expect(JSON.stringify([...window.session(refused)!.session.entries])).toContain(WHY);

  window.sessions.perform({kind: 'resume_ended', session: refused});
  const started = window.store.latest().active;
  expect(started).not.toBe(refused);
  await window.converse(started, 'again');
  expect(Object.keys(window.store.latest().sessions)).toEqual([FIRST, started]);
});

test('a session that cannot be started for an error of the service ends with it', async () => {
  const events: SessionEvent[] = [];
  const service = {start: () => Promise.reject(new Error(WHY))} as Partial<ServiceClient> as ServiceClient;
  const attached = startAndAttach(Promise.resolve({ok: true, value: service}), {
    start: {given: {} as never, prompt: undefined, environment: {}},
    session: initialSession({cwd: '/project', additionalDirectories: [], at: 0}),
    continues: undefined,
  });
  attached.follow((event) => events.push(event));
  await expect.poll(() => events).toHaveLength(2);
  const failure = {kind: 'internal', problem: WHY};
  expect(events).toMatchObject([{connection: {kind: 'lost', failure}}, {connection: {kind: 'closed'}}]);
});

test('what waits in the queue of a replaced session is in the draft of one that the service does not start', async () => {
  const window = await openWindowIn({background: refusing()}, 'echo');
  await window.sessions.clientOf(FIRST).changeQueue({kind: 'hold', isHeld: true});
  window.prompt(FIRST, 'one');
  window.prompt(FIRST, 'two');
  await window.until(() => window.session(FIRST)?.session.queue.prompts.length === 2);
  await window.sessions.open({options: window.sessions.optionsOf(FIRST), takesQueue: true});
  const refused = window.store.latest().active;
  await window.until(() => window.session(refused)?.draft.text === 'one\ntwo');
  expect(Object.keys(window.store.latest().sessions)).toEqual([refused]);
});

test('so is the prompt of a session that was to be started beside the others', async () => {
  const window = await openWindowIn({background: refusing()}, 'echo');
  await window.converse(FIRST, 'hello');
  window.sessions.perform({kind: 'open_beside', prompt: 'fix the tests'});
  const refused = window.store.latest().active;
  expect(refused).not.toBe(FIRST);
  await window.until(() => window.session(refused)?.draft.text === 'fix the tests');
  await window.until(({toast}) => toast?.text.toLowerCase().includes(WHY) === true);
});

/** A window in which the service has refused to resume a stored session. */
async function refusedWindow(id: string, place: Parameters<typeof openWindowIn>[0]) {
  const window = await openWindowIn(place, 'echo');
  await window.converse(FIRST, 'one');
  await window.sessions.open({options: window.sessions.optionsOf(FIRST), before: {continues: id}});
  const refused = window.store.latest().active;
  await window.until(() => window.session(refused)?.session.connection.kind === 'closed');
  return {window, refused};
}

test('a session that another window has resumed meanwhile is shown instead', async () => {
  const {start, attach: show, client, state} = await openService({turns: [[says('Resumed elsewhere.')]]});
  const id = await start('go');
  const elsewhere = await show(id);
  await elsewhere.until(({lastTurn}) => lastTurn !== undefined);
  const attach: BackgroundSessions['attach'] = async (wanted) =>
    attachSession(await client(), wanted.id, state);
  const {window, refused} = await refusedWindow(id, {state, background: refusing({attach})});
  window.sessions.perform({kind: 'resume_ended', session: refused});
  await window.until(({active}) => window.said(active).includes('Resumed elsewhere.'));
  const {active, sessions} = window.store.latest();
  expect(sessions[active]?.isAttached).toBe(true);
  expect(Object.keys(sessions)).toEqual([FIRST, active]);
});

test('a session that has ended in the background is resumed there, whatever the settings say', async () => {
  const {start, attach, service, state} = await openService({turns: [[says('Done.')]]});
  const id = await start('go');
  const elsewhere = await attach(id);
  await elsewhere.until(({lastTurn}) => lastTurn !== undefined);
  await service.end();
  const wanted: object[] = [];
  const {window, refused} = await refusedWindow(id, {state, background: refusing({}, wanted)});
  window.sessions.perform({kind: 'resume_ended', session: refused});
  await window.until(({active}) => window.said(active).includes('Done.'));
  expect(wanted).toEqual([{wasAttached: undefined}, {wasAttached: true}]);
});

test('a prompt is sent although the window is left before the service runs', async () => {
  const {client, given, state} = await openService({turns: [[says('Done.')]]});
  const connecting = Promise.withResolvers<Result<ServiceClient>>();
  const session = initialSession({cwd: given.cwd, additionalDirectories: [], at: 0});
  const start = {given, prompt: undefined, environment: {}};
  const attached = startAndAttach(connecting.promise, {start, session, continues: undefined});
  const content = [{type: 'text' as const, text: 'go'}];
  void attached
    .follow(() => undefined)
    .changeQueue({
      kind: 'submit',
      prompt: {text: 'go', content},
      place: 'last',
    });
  const left = attached.leave();
  connecting.resolve({ok: true, value: await client()});
  await left;
  const later = orThrow(await attachSession(await client(), attached.id() ?? '', state));
  const window = windowOn(later);
  await window.until(({lastTurn}) => lastTurn !== undefined);
  expect(window.said()).toBe('Done.');
});
