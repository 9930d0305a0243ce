import {expect, test, vi} from 'vitest';
import {createUpdateRouter} from '../../../src/conversation/connection/update-router.ts';
import type {Update} from '../../../src/session/events.ts';

const said = (text: string): Update => ({
  sessionUpdate: 'agent_message_chunk',
  content: {type: 'text', text},
});
const announced = (sessionId: string): Update => ({sessionUpdate: 'subagent_update', sessionId});

/** A router with one open session, with the subagents announced in it. */
function routed() {
  const subagents = new Set<string>();
  const delivered: string[] = [];
  const isSubagent = vi.fn<(id: string) => boolean>((id) => subagents.has(id));
  const stray = vi.fn<(sessionId: string, update: Update) => void>();
  const router = createUpdateRouter(stray);
  const route = router.join({
    deliver(sessionId, update) {
      delivered.push(sessionId);
      if (update.sessionUpdate === 'subagent_update') subagents.add(update.sessionId);
    },
    isSubagent,
    subagents: () => [...subagents],
  });
  route.expect('s');
  return {router, route, delivered, isSubagent, stray};
}

test('updates before a session is open and before its subagents are announced are delivered in order', () => {
  const {router, route, delivered, stray} = routed();
  router.receive('child', said('c'));
  router.receive('s', said('a'));
  router.receive('s', announced('child'));
  router.receive('s', said('b'));
  router.receive('grandchild', said('g'));
  route.open('s');
  expect(delivered).toEqual(['s', 's', 'child', 's']);
  router.receive('child', announced('grandchild'));
  expect(delivered.slice(4)).toEqual(['child', 'grandchild']);
  expect(stray).toHaveBeenCalledTimes(1);
});

test('an announcement does not cost time for unrelated updates', () => {
  const {router, route, isSubagent} = routed();
  route.open('s');
  for (let index = 0; index < 5000; index++) router.receive(`unknown-${index}`, said('x'));
  isSubagent.mockClear();
  for (let index = 0; index < 100; index++) router.receive('s', announced(`child-${index}`));
  expect(isSubagent.mock.calls.length).toBeLessThanOrEqual(200);
});

test('unclaimed updates are limited in memory', () => {
  const {router, route, delivered} = routed();
  route.open('s');
  for (let index = 0; index < 20; index++) router.receive('child', said('x'.repeat(1024 * 1024)));
  router.receive('s', announced('child'));
  expect(delivered.filter((id) => id === 'child')).toHaveLength(15);
});

test('a session that failed to open is no longer waited for', () => {
  const {router, route} = routed();
  expect(router.owner('s')).toBeDefined();
  route.close();
  expect(router.owner('s')).toBeUndefined();
});

test('updates that nobody claims leave room for those of a session that is opened, or announced, later', () => {
  const {router, route, delivered} = routed();
  route.open('s');
  for (let index = 0; index < 10_000; index++) router.receive('unclaimed', said('x'));
  route.expect();
  router.receive('new', said('y'));
  route.open('new');
  expect(delivered).toEqual(['new']);
  router.receive('child', said('z'));
  router.receive('new', announced('child'));
  expect(delivered).toEqual(['new', 'new', 'child']);
});

test('an update that is larger than all that is kept displaces nothing', () => {
  const {router, route, delivered, stray} = routed();
  router.receive('s', said('a'));
  router.receive('s', said('x'.repeat(17 * 1024 * 1024)));
  route.open('s');
  expect(delivered).toEqual(['s']);
  expect(stray).toHaveBeenCalledTimes(1);
});

test('each unclaimed update is reported once, however many sessions are opened', () => {
  const {router, route, stray} = routed();
  router.receive('early', said('a'));
  route.open('s');
  router.receive('late', said('b'));
  for (const id of ['t', 'u']) {
    route.expect(id);
    route.open(id);
  }
  expect(stray.mock.calls).toEqual([
    ['early', said('a')],
    ['late', said('b')],
  ]);
});
