import {afterEach, describe, expect, it, vi} from 'vitest';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {idle} from '../conversation/open-conversation.ts';
import {makeRemote, openRemote, scriptedBridge} from './open-remote.ts';
import {serveAgent} from '../../support/servers/remote-server.ts';

afterEach(() => void vi.unstubAllEnvs());

describe.each(['ws', 'http'] as const)('an agent at a %s URL', (kind) => {
  it('works like a local one', async () => {
    const served = await serveAgent(scriptedBridge('echo'));
    const {prompt, until, said} = await openRemote(served[kind]);
    prompt('hello over there');
    await until(idle, 'the end of the turn');
    expect(said()).toContain('hello over there');
  });

  it('gets the token and the headers of its settings, with variables filled in', async () => {
    const served = await serveAgent(scriptedBridge('echo'));
    process.env['REMOTE_TEST_TOKEN'] = 'of-the-environment';
    await openRemote(served[kind], {token: '${REMOTE_TEST_TOKEN}', headers: {'X-Team': 'blue'}});
    delete process.env['REMOTE_TEST_TOKEN'];
    expect(served.requests.length).toBeGreaterThan(0);
    for (const headers of served.requests)
      expect(headers).toMatchObject({authorization: 'Bearer of-the-environment', 'x-team': 'blue'});
  });

  it.each([
    '${REMOTE_TEST_URL}',
    `${kind}://127.0.0.1:\${REMOTE_TEST_PORT}/acp?key=\${REMOTE_TEST_PORT}#top`,
  ])('may be made of variables: %s', async (url) => {
    const served = await serveAgent(scriptedBridge('echo'));
    vi.stubEnv('REMOTE_TEST_URL', served[kind]);
    vi.stubEnv('REMOTE_TEST_PORT', String(served.port));
    const {prompt, until, said} = await openRemote(url);
    prompt('hello over there');
    await until(idle, 'the end of the turn');
    expect(said()).toContain('hello over there');
  });

  it.each([
    ['no URL', /its URL is not valid/],
    [`${kind}://agents.example/acp`, /is not encrypted/],
    [`${kind}://user:hidden@127.0.0.1/acp`, /may not contain credentials/],
  ])('whose variables make it %j is not connected to', async (value, problem) => {
    vi.stubEnv('REMOTE_TEST_URL', value);
    const opened = await makeRemote('${REMOTE_TEST_URL}').conversation.open();
    expect(opened).toMatchObject({failure: {kind: 'bad_agent', problem: expect.stringMatching(problem)}});
  });

  it('with variables is reported without their values', async () => {
    const served = await serveAgent(scriptedBridge('echo'), {refuse: () => 404});
    vi.stubEnv('REMOTE_TEST_SECRET', 'hidden');
    const opened = await makeRemote(
      served[kind].replace('acp', '${REMOTE_TEST_SECRET}/acp'),
    ).conversation.open();
    expect(opened).toMatchObject({failure: {kind: 'remote', url: served[kind].replace('/acp', '')}});
  });

  it.each([
    [401, 'sign-in required', 'Check the token'],
    [403, 'forbidden', 'Check the token'],
    [404, 'not found', 'Check the path'],
    [503, 'overloaded', ''],
  ])('that rejects with %i is reported', async (status, words, hint) => {
    const served = await serveAgent(scriptedBridge('echo'), {refuse: () => status});
    const opened = await makeRemote(served[kind]).conversation.open();
    const sentence = opened.ok ? '' : failureSentence(opened.failure);
    expect(sentence).toContain(`Cannot connect to the agent at ${served[kind]}`);
    expect(sentence).toContain(words);
    expect(sentence).toContain(hint);
  });

  it('that is unreachable is reported', async () => {
    const served = await serveAgent(scriptedBridge('echo'));
    await served.end();
    const opened = await makeRemote(served[kind]).conversation.open();
    expect(opened).toMatchObject({ok: false, failure: {kind: 'remote', reason: 'unreachable'}});
  });

  it('is not used when its certificate is not trusted', async () => {
    const served = await serveAgent(scriptedBridge('echo'), {tls: true});
    const opened = await makeRemote(served[kind]).conversation.open();
    expect(opened).toMatchObject({ok: false, failure: {kind: 'remote', reason: 'certificate'}});
    expect(served.requests).toEqual([]);
  });

  it.each(['terminal', 'key'])('runs and reads nothing here to sign in: %s', async (method) => {
    const served = await serveAgent(scriptedBridge('sign-in', '/nowhere'));
    const foreground = vi.fn<() => never>();
    const {conversation} = makeRemote(served[kind], {}, {foreground});
    await conversation.open();
    expect(await conversation.authenticate(method)).toMatchObject({
      failure: {kind: 'not_offered', why: expect.stringContaining('sign in on its own computer')},
    });
    expect(foreground).not.toHaveBeenCalled();
  });

  it('gets its cookies back, also on reconnection', async () => {
    const served = await serveAgent(scriptedBridge('echo'), {cookie: 'affinity=one; Path=/'});
    const {conversation} = await openRemote(served[kind]);
    await conversation.restart();
    expect(served.requests.at(-1)?.cookie).toBe('affinity=one');
  });

  it('is offered neither files nor commands', async () => {
    const served = await serveAgent(scriptedBridge('echo'));
    const {sent} = await openRemote(served[kind]);
    const capabilities = sent().find(({method}) => method === 'initialize')?.params?.['clientCapabilities'];
    expect(capabilities).toMatchObject({fs: {readTextFile: false, writeTextFile: false}});
    expect(JSON.stringify(capabilities)).not.toContain('"terminal":true');
  });

  it('works in the folder that its settings name, and the screen says so', async () => {
    const served = await serveAgent(scriptedBridge('echo'));
    const {sent, state} = await openRemote(served[kind], {cwd: '/srv/work'});
    expect(sent().find(({method}) => method === 'session/new')?.params).toMatchObject({cwd: '/srv/work'});
    expect(JSON.stringify(state().entries)).toContain('in its own folder /srv/work');
  });
});
