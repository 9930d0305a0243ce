import {describe, expect, test} from 'vitest';
import {allSessions} from '../../../../src/session/lifecycle/all-sessions.ts';
import type {ListedSession} from '../../../../src/session/actions.ts';
import {openScripted, type OpenedConversation} from '../open-conversation.ts';

const able = (capabilities: object) => ({agentCapabilities: capabilities});
const methods = ({sent}: OpenedConversation) => sent().flatMap(({method}) => method ?? []);

describe('the sessions of an agent', () => {
  const listing = (pages: Record<string, object>) => ({
    initialize: able({sessionCapabilities: {list: {}, delete: {}, title: {}, close: {}}}),
    results: pages,
  });

  test('are listed page by page; a cursor that repeats ends the list', async () => {
    const sessions = [
      {sessionId: 'a', cwd: '/x', title: 'A', updatedAt: '2026-01-01T00:00:00Z'},
      {sessionId: 7},
    ];
    const opened = await openScripted(listing({'session/list': {sessions, nextCursor: 'again'}}));
    const pages: unknown[] = [];
    const listed = await allSessions(opened.conversation, {cwd: '/x'}, (page) => pages.push(page));
    expect(listed.ok).toBe(true);
    const row = {
      sessionId: 'a',
      cwd: '/x',
      additionalDirectories: [],
      title: 'A',
      updatedAt: Date.UTC(2026, 0, 1),
    };
    expect(pages).toEqual([[row], [row]]);
    expect(opened.sent().slice(-2)).toMatchObject([
      {params: {cwd: '/x'}},
      {params: {cwd: '/x', cursor: 'again'}},
    ]);
  });

  test('are not requested when the agent does not support it', async () => {
    const opened = await openScripted({});
    expect(await opened.conversation.listSessions({})).toMatchObject({
      failure: {kind: 'not_offered'},
    });
    expect(await opened.conversation.changeSession('delete', 'x')).toMatchObject({
      failure: {kind: 'not_offered'},
    });
    expect(methods(opened)).toEqual(['initialize', 'session/new']);
  });

  const archivedOnes = {
    sessions: [
      {sessionId: 'kept', cwd: '/x', archived: false},
      {sessionId: 'put-away', cwd: '/x', archived: true},
    ],
  };

  test('are listed without archived ones, or only those when the agent archives', async () => {
    const opened = await openScripted({
      initialize: able({sessionCapabilities: {list: {}, archive: {}}}),
      results: {'session/list': archivedOnes},
    });
    const ids: string[] = [];
    const onPage = (page: readonly ListedSession[]) => void ids.push(...page.map(({sessionId}) => sessionId));
    await allSessions(opened.conversation, {cwd: '/x'}, onPage);
    expect(ids).toEqual(['kept']);
    await allSessions(opened.conversation, {archived: true}, onPage);
    expect(ids).toContain('put-away');
    expect(opened.sent().slice(-2)).toMatchObject([
      {method: 'session/list', params: {cwd: '/x'}},
      {method: 'session/list', params: {archived: 'only'}},
    ]);
    expect(opened.sent().at(-2)?.params).not.toHaveProperty('archived');
  });

  test('are not requested for the archive when the agent does not archive', async () => {
    const opened = await openScripted(listing({'session/list': archivedOnes}));
    expect(await opened.conversation.listSessions({archived: true})).toMatchObject({
      failure: {kind: 'not_offered'},
    });
    expect(methods(opened)).not.toContain('session/list');
  });

  test('can be deleted, renamed and closed', async () => {
    const opened = await openScripted(
      listing({'session/delete': {}, 'session/set_title': {}, 'session/close': {}}),
    );
    const actions = opened.conversation;
    await actions.changeSession('delete', 'x');
    await actions.renameSession('Mine');
    expect(opened.state().title).toBe('Mine');
    await actions.openSession({kind: 'new'});
    await opened.until(() => methods(opened).includes('session/close'), 'the close');
    expect(opened.sent().slice(2)).toMatchObject([
      {method: 'session/delete', params: {sessionId: 'x'}},
      {method: 'session/set_title', params: {sessionId: 'session-1', title: 'Mine'}},
      {method: 'session/new'},
      {method: 'session/close', params: {sessionId: 'session-1'}},
    ]);
  });

  test('keep their name locally when the agent cannot rename', async () => {
    const opened = await openScripted({});
    await opened.conversation.renameSession('Mine');
    expect(opened.state()).toMatchObject({ownTitle: 'Mine', title: undefined});
    expect(methods(opened)).toEqual(['initialize', 'session/new']);
  });
});
