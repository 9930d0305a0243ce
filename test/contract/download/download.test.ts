import {createHash} from 'node:crypto';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {downloadFile, downloadSize, downloadText} from '../../../src/download/download.ts';
import type {Progress} from '../../../src/download/body.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {serve} from './servers.ts';

const limitBytes = 64 * 1024;

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'acp-tui-download-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return join(folder, 'file');
}

/** Why a download failed, with the sentence. */
async function failureOf(download: ReturnType<typeof downloadText>) {
  const result = await download;
  if (result.ok) throw new Error('it did not fail');
  return {...result.failure, sentence: failureSentence(result.failure)};
}

describe('a text', () => {
  test('comes with its tag, and with that tag only when it has changed', async () => {
    const address = await serve((request, response) => {
      const isKnown = request.headers['if-none-match'] === '"one"';
      response.writeHead(isKnown ? 304 : 200, {etag: '"one"'}).end(isKnown ? undefined : 'grün');
    });
    const text = {kind: 'text', text: 'grün', etag: '"one"'};
    expect(await downloadText(address, {limitBytes})).toEqual({ok: true, value: text});
    expect(await downloadText(address, {limitBytes, etag: '"old"'})).toEqual({ok: true, value: text});
    expect(await downloadText(address, {limitBytes, etag: '"one"'})).toEqual({
      ok: true,
      value: {kind: 'unchanged'},
    });
  });

  test('is found where the server sends us, also by a relative address', async () => {
    const address = await serve((request, response) => {
      if (request.url === '/there') response.end('here');
      else response.writeHead(301, {location: '/there'}).end();
    });
    expect(await downloadText(`${address}/x`, {limitBytes})).toMatchObject({value: {text: 'here'}});
  });
});

describe('a file', () => {
  test('is private, and comes with its size, its hash and its progress', async () => {
    const bytes = Buffer.alloc(50_000, 'agent');
    const address = await serve((_, response) => {
      response.writeHead(200, {'content-length': bytes.length}).end(bytes);
    });
    const file = newFile();
    const told: Progress[] = [];
    const result = await downloadFile(address, file, {limitBytes, onProgress: (at) => told.push(at)});
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(result).toEqual({ok: true, value: {bytes: 50_000, sha256}});
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(told.at(-1)).toEqual({received: 50_000, total: 50_000});
  });

  test('that already exists is not overwritten', async () => {
    const address = await serve((_, response) => void response.end('new'));
    const file = newFile();
    writeFileSync(file, 'old');
    expect(await downloadFile(address, file, {limitBytes})).toMatchObject({
      failure: {kind: 'file', path: file},
    });
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  test('tells its size without being fetched', async () => {
    const methods: (string | undefined)[] = [];
    const address = await serve((request, response) => {
      methods.push(request.method);
      response.writeHead(200, {'content-length': 1234}).end();
    });
    expect(await downloadSize(address)).toBe(1234);
    expect(methods).toEqual(['HEAD']);
  });
});

describe('what is not fetched', () => {
  test.each([
    ['http://example.com/x?token=secret', 'insecure', 'Cannot download "http://example.com/x".'],
    ['http://127.0.0.1.example.com/', 'insecure', 'http://127.0.0.1.example.com/'],
    ['file:///etc/passwd', 'insecure', 'https://'],
    ['ftp://127.0.0.1/x', 'insecure', 'https://'],
    ['//me:secret@nowhere', 'address', 'Cannot download "//nowhere".'],
  ])('%s', async (address, reason, words) => {
    const failure = await failureOf(downloadText(address, {limitBytes}));
    expect(failure).toMatchObject({reason});
    expect(failure.sentence).toContain(words);
    expect(failure.sentence).not.toContain('secret');
  });

  test('what the server sends elsewhere without encryption', async () => {
    const address = await serve((_, response) => {
      response.writeHead(302, {location: 'http://example.com/'}).end();
    });
    expect(await failureOf(downloadText(address, {limitBytes}))).toMatchObject({reason: 'insecure_redirect'});
  });

  test('what is sent in a circle', async () => {
    let asked = 0;
    const address = await serve((request, response) => {
      asked++;
      response.writeHead(302, {location: `http://${request.headers.host}/`}).end();
    });
    expect(await failureOf(downloadText(address, {limitBytes}))).toMatchObject({reason: 'redirects'});
    expect(asked).toBe(6);
  });

  test('what is not there, told with what the status means', async () => {
    const address = await serve((_, response) => void response.writeHead(404).end('x'.repeat(100_000)));
    const failure = await failureOf(downloadText(address, {limitBytes}));
    expect(failure).toMatchObject({reason: 'status', detail: '404'});
    expect(failure.sentence).toContain('404 (not found)');
  });

  test('what nobody serves', async () => {
    expect(await failureOf(downloadText('http://127.0.0.1:9/', {limitBytes}))).toMatchObject({
      reason: 'unreachable',
      sentence: expect.stringContaining('HTTPS_PROXY'),
    });
  });
});

describe('a server that does harm', () => {
  test('by a body without an end is left at the limit', async () => {
    const address = await serve((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(16_384)));
        response.once('drain', more);
      };
      more();
    });
    const told: Progress[] = [];
    const download = downloadText(address, {limitBytes, onProgress: (at) => told.push(at)});
    expect(await failureOf(download)).toMatchObject({reason: 'too_large'});
    expect(told.every(({received}) => received <= limitBytes)).toBe(true);
  });

  test('by a size above the limit is left before anything is read', async () => {
    const address = await serve((_, response) => {
      response.writeHead(200, {'content-length': limitBytes + 1}).write('x');
    });
    let told = 0;
    const download = downloadText(address, {limitBytes, onProgress: () => told++});
    expect(await failureOf(download)).toMatchObject({reason: 'too_large'});
    expect(told).toBe(0);
  });

  test('by headers that never come is left', async () => {
    const address = await serve(() => {});
    expect(await failureOf(downloadText(address, {limitBytes, idleMs: 50}))).toMatchObject({
      reason: 'stalled',
    });
  });

  test('by a byte now and then is left too', async () => {
    const address = await serve((_, response) => {
      const drip = setInterval(() => response.write('.'), 10);
      response.once('close', () => clearInterval(drip));
    });
    expect(await failureOf(downloadText(address, {limitBytes, idleMs: 200}))).toMatchObject({
      reason: 'stalled',
    });
  });

  test.each([
    ['less than it announced', {'content-length': '100'}],
    ['chunks that do not end', {'transfer-encoding': 'chunked'}],
  ])('by %s is not taken for whole', async (_, headers) => {
    const address = await serve((_, response) => {
      response.writeHead(200, headers);
      response.write('some', () => response.destroy());
    });
    expect(await failureOf(downloadText(address, {limitBytes}))).toMatchObject({reason: 'cut_off'});
  });
});

test('a download that is called off ends at once', async () => {
  const off = new AbortController();
  const address = await serve((_, response) => void response.write('x'));
  const download = downloadText(address, {limitBytes, signal: off.signal, onProgress: () => off.abort()});
  expect(await failureOf(download)).toMatchObject({reason: 'called_off'});
});
