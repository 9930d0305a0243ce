import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {authority, serveProxy, serveTls} from '../../support/servers/servers.ts';

/* Each download runs in a separate process: Node loads its certificate authorities at startup. */

const script = fileURLToPath(new URL('fetch.ts', import.meta.url));

async function fetchWith(env: Readonly<Record<string, string>>, address: string): Promise<unknown> {
  const {PATH, HOME} = process.env;
  const {stdout} = await promisify(execFile)(process.execPath, [script, address], {
    env: {PATH, HOME, ...env},
  });
  return JSON.parse(stdout);
}

const trusting = {NODE_EXTRA_CA_CERTS: authority};
const hello = () => serveTls((_, response) => void response.end('hello'));
const helloText = {ok: true, value: {kind: 'text', text: 'hello'}};

describe('a server with a private certificate authority', () => {
  test('is not trusted', async () => {
    expect(await fetchWith({}, await hello())).toMatchObject({
      ok: false,
      failure: {kind: 'download', reason: 'certificate'},
    });
  });

  test('is trusted with NODE_EXTRA_CA_CERTS', async () => {
    expect(await fetchWith(trusting, await hello())).toEqual(helloText);
  });

  test("is trusted when the system's store has the authority", async () => {
    expect(await fetchWith({SSL_CERT_FILE: authority}, await hello())).toEqual(helloText);
  });

  test('is not trusted although NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    expect(await fetchWith({NODE_TLS_REJECT_UNAUTHORIZED: '0'}, await hello())).toMatchObject({
      failure: {reason: 'certificate'},
    });
  });
});

test('a redirection from https to http is not followed, not even to localhost', async () => {
  const elsewhere = await serveTls((_, response) => {
    response.writeHead(302, {location: 'http://127.0.0.1:9/x?signature=secret'}).end();
  });
  expect(await fetchWith(trusting, elsewhere)).toEqual({
    ok: false,
    failure: {kind: 'download', url: 'http://127.0.0.1:9/x', reason: 'insecure_redirect'},
  });
});

describe('a proxy', () => {
  test.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])(
    'from %s is used with its credentials',
    async (name) => {
      const proxy = await serveProxy();
      const address = await hello();
      const env = {...trusting, [name]: `http://me:secret@127.0.0.1:${proxy.port}`};
      expect(await fetchWith(env, address)).toEqual(helloText);
      const credentials = `Basic ${Buffer.from('me:secret').toString('base64')}`;
      expect(proxy.asked).toEqual([{target: new URL(address).host, credentials}]);
    },
  );

  test('may be given without http://', async () => {
    const proxy = await serveProxy();
    const env = {...trusting, HTTPS_PROXY: `127.0.0.1:${proxy.port}`};
    expect(await fetchWith(env, await hello())).toEqual(helloText);
    expect(proxy.asked).toHaveLength(1);
  });

  test.each(['NO_PROXY', 'no_proxy'])('is not used for what %s exempts', async (name) => {
    const proxy = await serveProxy();
    const env = {...trusting, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, [name]: 'example.org,127.0.0.1'};
    expect(await fetchWith(env, await hello())).toEqual(helloText);
    expect(proxy.asked).toEqual([]);
  });

  test('that rejects is named without credentials', async () => {
    const proxy = await serveProxy({refuses: 407});
    const env = {...trusting, HTTPS_PROXY: `http://me:secret@127.0.0.1:${proxy.port}`};
    expect(await fetchWith(env, await hello())).toMatchObject({
      failure: {kind: 'download', reason: 'proxy', detail: `127.0.0.1:${proxy.port} answered 407`},
    });
  });

  test('that does not exist is named', async () => {
    const env = {...trusting, HTTPS_PROXY: 'http://127.0.0.1:9'};
    const failure = {reason: 'proxy', detail: expect.stringContaining('127.0.0.1:9')};
    expect(await fetchWith(env, await hello())).toMatchObject({failure});
  });

  test('with an invalid URL fails, too', async () => {
    expect(await fetchWith({HTTPS_PROXY: 'http://:::'}, 'https://127.0.0.1:9/')).toMatchObject({
      failure: {kind: 'download', reason: 'proxy'},
    });
  });
});
