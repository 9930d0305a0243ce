import {readFileSync, statSync, writeFileSync} from 'node:fs';
import type {RequestListener} from 'node:http';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openRegistry, type RegistryOptions} from '../../../src/agents/registry.ts';
import {serve} from '../../support/servers/servers.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

const entry = {
  id: 'some-agent',
  name: 'Some Agent',
  version: '1.0.0',
  description: 'Does something',
  distribution: {npx: {package: 'some-agent'}},
};
const text = JSON.stringify({version: '1.0.0', agents: [entry, {id: 'bad'}]});

/** Responds once with each of these, then always with the last. */
async function served(...listeners: readonly RequestListener[]): Promise<string> {
  let count = 0;
  return serve((request, response) => {
    const listener = listeners[Math.min(count++, listeners.length - 1)];
    listener?.(request, response);
  });
}

const registryText: RequestListener = (_, response) => void response.setHeader('etag', '"1"').end(text);
const fails: RequestListener = (_, response) => void response.writeHead(500).end('broken');

function opened(url: string, options: Partial<RegistryOptions> = {}) {
  let time = 1000;
  return openRegistry({url, cache: temporaryFolder(), now: () => (time += 1000), ...options});
}

const ids = (registry: {entries: readonly {id: string}[]} | undefined) => registry?.entries.map(({id}) => id);

describe('the registry', () => {
  test('is loaded only on request, and its answer is cached', async () => {
    const cache = temporaryFolder();
    const url = await served(registryText, fails);
    const registry = opened(url, {cache});
    expect(registry.cached()).toBeUndefined();
    const asked = await registry.fetch();
    expect(asked.failure).toBeUndefined();
    expect(asked.registry).toMatchObject({
      entries: [{id: 'some-agent'}],
      left: [{name: 'bad'}],
      checkedAt: 2000,
    });
    expect(opened(url, {cache}).cached()).toEqual(asked.registry);
    expect((statSync(join(cache, 'registry.json')).mode & 0o777).toString(8)).toBe('600');
  });

  test('is not sent again when unchanged, and its age starts over', async () => {
    const url = await served(registryText, (request, response) => {
      response.writeHead(request.headers['if-none-match'] === '"1"' ? 304 : 500).end();
    });
    const registry = opened(url);
    await registry.fetch();
    expect(await registry.fetch()).toMatchObject({
      registry: {entries: [{id: 'some-agent'}], checkedAt: 3000},
    });
    expect(registry.cached()?.checkedAt).toBe(3000);
  });

  test('at another address is a separate one', async () => {
    const cache = temporaryFolder();
    await opened(await served(registryText), {cache}).fetch();
    expect(opened('https://example.org/registry.json', {cache}).cached()).toBeUndefined();
  });

  test.each<[string, RequestListener, string]>([
    ['fails', fails, 'status'],
    ['sends something else', (_, response) => void response.end('<html>Sign in</html>'), 'unexpected'],
    ['sends half of it', (_, response) => void response.end(text.slice(0, 40)), 'unexpected'],
    ['sends 50 MB', (_, response) => void response.end(Buffer.alloc(50_000_000, ' ')), 'too_large'],
    ['is silent', () => undefined, 'stalled'],
    [
      'redirects without encryption',
      (_, response) => void response.writeHead(302, {location: 'http://example.org/'}).end(),
      'insecure_redirect',
    ],
    [
      'answers 304 to an unconditional request',
      (_, response) => void response.writeHead(304).end(),
      'unexpected',
    ],
  ])('reports that it %s and uses the cached answer', async (_what, listener, reason) => {
    const cache = temporaryFolder();
    // Without an ETag, so that 304 is not a valid response.
    const url = await served((_, response) => void response.end(text), listener);
    await opened(url, {cache}).fetch();
    // A busy machine may need longer for what is not silent.
    const registry = opened(url, {cache, ...(reason === 'stalled' && {idleMs: 300})});
    const kept = readFileSync(join(cache, 'registry.json'), 'utf8');
    const asked = await registry.fetch();
    expect(asked.failure).toMatchObject({kind: 'download', reason});
    expect(ids(asked.registry)).toEqual(['some-agent']);
    expect(readFileSync(join(cache, 'registry.json'), 'utf8')).toBe(kept);
  });

  test('is given up when it only trickles bytes', async () => {
    const url = await served((_, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    const {registry, failure} = await opened(url, {wholeMs: 300}).fetch();
    expect([registry, failure]).toEqual([undefined, expect.objectContaining({reason: 'stalled'})]);
  });

  test.each([
    ['http://example.org/registry.json', 'insecure'],
    ['file:///etc/passwd', 'insecure'],
    ['Not a URL', 'address'],
    ['http://127.0.0.1:9/registry.json', 'unreachable'],
  ])('at %s fails with the reason', async (url, reason) => {
    expect(await opened(url).fetch()).toEqual({
      registry: undefined,
      failure: expect.objectContaining({kind: 'download', reason}),
    });
  });

  test('is reported without the credentials in its address', () => {
    expect(opened('https://me:secret@example.org/r.json?token=secret').shownUrl).toBe(
      'https://example.org/r.json',
    );
  });
});

describe('the registry cache', () => {
  test.each(['', '{"url":', '{"text":7}'])('is empty when it is damaged: %j', async (damage) => {
    const cache = temporaryFolder();
    const url = await served(registryText);
    writeFileSync(join(cache, 'registry.json'), damage);
    const registry = opened(url, {cache});
    expect(registry.cached()).toBeUndefined();
    expect(ids((await registry.fetch()).registry)).toEqual(['some-agent']);
  });

  test('in a read-only folder is reported, and the answer is used', async () => {
    const cache = temporaryFolder();
    writeFileSync(join(cache, 'file'), '');
    const {registry, failure} = await opened(await served(registryText), {
      cache: join(cache, 'file/x'),
    }).fetch();
    expect(ids(registry)).toEqual(['some-agent']);
    expect(failure).toMatchObject({kind: 'file'});
  });
});
