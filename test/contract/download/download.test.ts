import {createHash} from 'node:crypto';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {downloadFile, downloadSize, downloadText} from '../../../src/download/download.ts';
import type {DownloadProgress} from '../../../src/download/body.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {serve} from '../../support/servers/servers.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

const limitBytes = 64 * 1024;

function newFile(): string {
  const folder = temporaryFolder();
  return join(folder, 'file');
}

/** The sentence of a failed download. */
async function failureOf(download: ReturnType<typeof downloadText>) {
  const result = await download;
  if (result.ok) throw new Error('it did not fail');
  return {...result.failure, sentence: failureSentence(result.failure)};
}

describe('a text', () => {
  test('comes with its ETag, and with the same ETag only if it changed', async () => {
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

  test('follows redirections, relative ones included', async () => {
    const address = await serve((request, response) => {
      if (request.url === '/there') response.end('here');
      else response.writeHead(301, {location: '/there'}).end();
    });
    expect(await downloadText(`${address}/x`, {limitBytes})).toMatchObject({value: {text: 'here'}});
  });
});

describe('a file', () => {
  test('is private and comes with its size, hash and progress', async () => {
    const bytes = Buffer.alloc(50_000, 'agent');
    const address = await serve((_, response) => {
      response.writeHead(200, {'content-length': bytes.length}).end(bytes);
    });
    const file = newFile();
    const reported: DownloadProgress[] = [];
    const result = await downloadFile(address, file, {limitBytes, onProgress: (at) => reported.push(at)});
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(result).toEqual({ok: true, value: {bytes: 50_000, sha256}});
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(reported.at(-1)).toEqual({received: 50_000, total: 50_000});
  });

  test('is not overwritten if it exists', async () => {
    const address = await serve((_, response) => void response.end('new'));
    const file = newFile();
    writeFileSync(file, 'old');
    expect(await downloadFile(address, file, {limitBytes})).toMatchObject({
      failure: {kind: 'file', path: file},
    });
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  test('reports its size without a download', async () => {
    const methods: (string | undefined)[] = [];
    const address = await serve((request, response) => {
      methods.push(request.method);
      response.writeHead(200, {'content-length': 1234}).end();
    });
    expect(await downloadSize(address)).toBe(1234);
    expect(methods).toEqual(['HEAD']);
  });
});

describe('nothing is downloaded from', () => {
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

  test('a redirection without encryption', async () => {
    const address = await serve((_, response) => {
      response.writeHead(302, {location: 'http://example.com/'}).end();
    });
    expect(await failureOf(downloadText(address, {limitBytes}))).toMatchObject({reason: 'insecure_redirect'});
  });

  test('a redirection loop', async () => {
    let asked = 0;
    const address = await serve((request, response) => {
      asked++;
      response.writeHead(302, {location: `http://${request.headers.host}/`}).end();
    });
    const failure = await failureOf(downloadText(`${address}?key=secret`, {limitBytes}));
    expect(failure).toMatchObject({reason: 'redirects'});
    expect(failure.sentence).not.toContain('secret');
    expect(asked).toBe(6);
  });

  test('a missing page, reported with the status', async () => {
    const address = await serve((_, response) => void response.writeHead(404).end('x'.repeat(100_000)));
    const failure = await failureOf(downloadText(address, {limitBytes}));
    expect(failure).toMatchObject({reason: 'status', detail: '404'});
    expect(failure.sentence).toContain('404 (not found)');
  });

  test('a server that is not running', async () => {
    expect(await failureOf(downloadText('http://127.0.0.1:9/', {limitBytes}))).toMatchObject({
      reason: 'unreachable',
      sentence: expect.stringContaining('HTTPS_PROXY'),
    });
  });
});

describe('a hostile server', () => {
  test('that sends an endless body is stopped at the limit', async () => {
    const address = await serve((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(16_384)));
        response.once('drain', more);
      };
      more();
    });
    const reported: DownloadProgress[] = [];
    const download = downloadText(address, {limitBytes, onProgress: (at) => reported.push(at)});
    expect(await failureOf(download)).toMatchObject({reason: 'too_large'});
    expect(reported.every(({received}) => received <= limitBytes)).toBe(true);
  });

  test('that announces a size above the limit is stopped before reading', async () => {
    const address = await serve((_, response) => {
      response.writeHead(200, {'content-length': limitBytes + 1}).write('x');
    });
    let reported = 0;
    const download = downloadText(address, {limitBytes, onProgress: () => reported++});
    expect(await failureOf(download)).toMatchObject({reason: 'too_large'});
    expect(reported).toBe(0);
  });

  test('that never sends headers is given up', async () => {
    const address = await serve(() => {});
    expect(await failureOf(downloadText(address, {limitBytes, idleMs: 50}))).toMatchObject({
      reason: 'stalled',
    });
  });

  test('that trickles bytes is given up, too', async () => {
    const address = await serve((_, response) => {
      const drip = setInterval(() => response.write('.'), 10);
      response.once('close', () => clearInterval(drip));
    });
    expect(await failureOf(downloadText(address, {limitBytes, idleMs: 200}))).toMatchObject({
      reason: 'stalled',
    });
  });

  test.each([
    ['less than announced', {'content-length': '100'}],
    ['unterminated chunks', {'transfer-encoding': 'chunked'}],
  ])('that sends %s does not count as complete', async (_, headers) => {
    const address = await serve((_, response) => {
      response.writeHead(200, headers);
      response.write('some', () => response.destroy());
    });
    expect(await failureOf(downloadText(address, {limitBytes}))).toMatchObject({reason: 'cut_off'});
  });
});

test('a cancelled download stops at once', async () => {
  const off = new AbortController();
  const address = await serve((_, response) => void response.write('x'));
  const download = downloadText(address, {limitBytes, signal: off.signal, onProgress: () => off.abort()});
  expect(await failureOf(download)).toMatchObject({reason: 'called_off'});
});
