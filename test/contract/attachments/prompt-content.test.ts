import {execFileSync} from 'node:child_process';
import {mkdirSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {AudioContent} from '@agentclientprotocol/sdk/unstable';
import {beforeEach, describe, expect, test} from 'vitest';
import type {Attachment} from '../../../src/session/content/attachment.ts';
import {promptContent} from '../../../src/attachments/prompt-content.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

let root: string;
let cwd: string;
beforeEach(() => {
  root = realpathSync(temporaryFolder());
  cwd = join(root, 'project');
  mkdirSync(cwd);
});

const all = {embeddedContext: true, image: true, audio: true};
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

const bytesOf = (text: string) => Buffer.from(text, 'latin1');

function file(name: string, content: string | Uint8Array, more: Partial<Attachment> = {}): Attachment {
  const path = join(cwd, name);
  writeFileSync(path, content);
  return {path, name, kind: 'file', ...more};
}

async function sent(files: readonly Attachment[], capabilities: object = all, text = 'see') {
  return promptContent(
    {content: [{type: 'text', text}], files},
    {cwd, additionalDirectories: [], capabilities},
  );
}

describe('a link', () => {
  const link = (name: string, target: string, more: Partial<Attachment> = {}): Attachment => {
    symlinkSync(target, join(cwd, name));
    return {path: join(cwd, name), name, kind: 'file', ...more};
  };

  async function problemWith(files: readonly Attachment[], text = 'see', hidden?: string) {
    const made = await promptContent(
      {content: [{type: 'text', text}], files},
      {
        cwd,
        additionalDirectories: [],
        capabilities: all,
        ...(hidden !== undefined && {isReadable: (real: string) => real !== hidden}),
      },
    );
    return made.ok ? undefined : failureSentence(made.failure);
  }

  test.each([undefined, {first: 1, last: 1}])('to what is private is not sent: lines %o', async (lines) => {
    mkdirSync(join(root, '.ssh'));
    const key = join(root, '.ssh/id_rsa');
    writeFileSync(key, 'the key\n');
    expect(await problemWith([link('notes.md', key, {lines})])).toContain(
      `It is a link to ${key}, which is private`,
    );
    expect(await problemWith([link('environment', '/proc/self/environ', {lines})])).toContain('is private');
    symlinkSync(join(root, '.ssh'), join(cwd, 'docs'));
    const below = {path: join(cwd, 'docs/id_rsa'), name: 'docs/id_rsa', kind: 'file', lines} as const;
    expect(await problemWith([below])).toContain('which is private');
    // By its own name, the user has said so.
    expect(await problemWith([{path: key, name: key, kind: 'file', lines}])).toBeUndefined();
  });

  test('to what the sandbox hides is not sent, and what a text names there neither', async () => {
    const plain = file('plain.txt', 'hush');
    const hidden = plain.path;
    const linked = link('link.txt', 'plain.txt');
    expect(await problemWith([linked])).toBeUndefined();
    expect(await problemWith([linked], 'see', hidden)).toContain('which the sandbox hides');
    expect(await problemWith([plain], 'see', hidden)).toContain('The sandbox hides it');
    for (const text of ['see @link.txt', 'see @plain.txt'])
      expect(await problemWith([], text, hidden)).toContain('The sandbox hides it');
    expect(await problemWith([], 'see @plain.txt')).toBeUndefined();
  });
});

/** What the files became, and the warnings. */
async function blocks(...args: Parameters<typeof sent>) {
  const made = await sent(...args);
  if (!made.ok) throw new Error(failureSentence(made.failure));
  return {blocks: made.value.content.slice(1), remarks: made.value.remarks};
}

describe('a file becomes', () => {
  const large = 'x'.repeat(256 * 1024 + 1);
  const largeSound = Buffer.concat([bytesOf('OggS\0'), Buffer.alloc(10 * 1024 * 1024)]);
  const largeImage = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);

  test.each([
    ['text', 'text', all, 'resource', /^$/],
    ['text', 'text', {}, 'resource_link', /^$/],
    ['text that is too large', large, all, 'resource_link', /^$/],
    ['an image', PNG, all, 'image', /^$/],
    ['an image', PNG, {embeddedContext: true}, 'resource_link', /not accept images/],
    ['an image that is too large', largeImage, all, 'resource_link', /too large/],
    ['an image', PNG, {embeddedContext: true, audio: true}, 'resource_link', /not accept images/],
    ['WAV', bytesOf('RIFF1234WAVEfmt '), all, 'audio', /^$/],
    ['MP3', bytesOf('ID3\x03\0\0'), all, 'audio', /^$/],
    ['MP3 without tags', bytesOf('\xff\xfb\x90\0'), all, 'audio', /^$/],
    ['Ogg', bytesOf('OggS\0\x02'), all, 'audio', /^$/],
    ['FLAC', bytesOf('fLaC\0\0\0'), all, 'audio', /^$/],
    ['M4A', bytesOf('\0\0\0\x20ftypM4A '), all, 'audio', /^$/],
    ['sound', bytesOf('OggS\0\x02'), {image: true}, 'resource_link', /not accept audio/],
    ['audio that is too large', largeSound, all, 'resource_link', /too large to send as audio/],
    ['text that looks like tags', 'ID3 tags', all, 'resource', /^$/],
    ['binary', new Uint8Array([1, 0, 2]), all, 'resource_link', /^$/],
    ['no UTF-8', new Uint8Array([0xff, 0x41]), all, 'resource_link', /^$/],
    ['empty', '', all, 'resource', /^$/],
  ] as const)('content that the agent supports, or a link: %s', async (...row) => {
    const [, content, capabilities, type, remark] = row;
    const kind = content === largeImage ? 'image' : content === largeSound ? 'audio' : 'file';
    const made = await blocks([file('a.txt', content, {kind})], capabilities);
    expect(made.blocks.map((block) => block.type)).toEqual([type]);
    expect(made.remarks.join('\n')).toMatch(remark);
  });

  test("audio in the protocol's format, without a name", async () => {
    const sound = bytesOf('RIFF1234WAVEfmt ');
    const made = await blocks([file('a.bin', sound)]);
    const expected: AudioContent = {data: sound.toString('base64'), mimeType: 'audio/wav'};
    expect(made.blocks).toEqual([{type: 'audio', ...expected}]);
  });

  test('its content at the time of sending', async () => {
    const attachment = file('a.txt', 'old', {size: 3});
    writeFileSync(attachment.path, 'new text');
    expect((await blocks([attachment])).blocks).toEqual([
      {type: 'resource', resource: {uri: pathToFileURL(attachment.path).href, text: 'new text'}},
    ]);
  });

  test('the selected lines, also of a large file', async () => {
    const text = Array.from({length: 60_000}, (_value, index) => `line ${index + 1}`).join('\n');
    const lines = {first: 50_000, last: 50_001};
    const attachment = file('a.txt', text, {lines});
    expect((await blocks([attachment])).blocks).toEqual([
      {
        type: 'resource',
        resource: {
          uri: `${pathToFileURL(attachment.path).href}#L50000:50001`,
          text: 'line 50000\nline 50001\n',
        },
      },
    ]);
  });

  test('a link if it is a folder', async () => {
    mkdirSync(join(cwd, 'src'));
    const folder: Attachment = {path: join(cwd, 'src'), name: 'src/', kind: 'folder'};
    expect((await blocks([folder])).blocks).toEqual([
      {type: 'resource_link', uri: pathToFileURL(folder.path).href, name: 'src'},
    ]);
  });

  test('a link once too much is embedded', async () => {
    const image = Buffer.concat([PNG, Buffer.alloc(4 * 1024 * 1024)]);
    const files = ['a', 'b', 'c', 'd'].map((name) => file(name, image));
    const types = (await blocks(files)).blocks.map((block) => block.type);
    expect(types).toEqual(['image', 'image', 'resource_link', 'resource_link']);
  });
});

describe('nothing is sent', () => {
  test.each([
    ['a missing file', () => ({path: join(cwd, 'gone'), name: 'gone', kind: 'file' as const}), /not exist/],
    ['missing lines', () => file('a', 'one\n', {lines: {first: 9, last: 12}}), /no line 9/],
    [
      'lines of a binary file',
      () => file('a', Buffer.alloc(9), {lines: {first: 1, last: 2}}),
      /Not a text file/,
    ],
    [
      'a pipe',
      () => {
        execFileSync('mkfifo', [join(cwd, 'pipe')]);
        return {path: join(cwd, 'pipe'), name: 'pipe', kind: 'file' as const};
      },
      /not a regular file/,
    ],
  ])('with %s', async (_what, attachment, reason) => {
    const made = await sent([attachment()]);
    expect(made.ok ? '' : failureSentence(made.failure)).toMatch(reason);
  });

  test('with a clipboard image that the agent does not support; otherwise its location stays private', async () => {
    const ours = file('clipboard.png', PNG, {isFromClipboard: true});
    const refused = await sent([ours], {embeddedContext: true});
    expect(refused.ok ? '' : failureSentence(refused.failure)).toContain('not accept images');
    expect((await blocks([ours])).blocks).toEqual([
      {type: 'image', data: PNG.toString('base64'), mimeType: 'image/png'},
    ]);
  });
});

test('warns of a link to a file outside the workspace; embedding it needs no warning', async () => {
  writeFileSync(join(root, 'outside.txt'), 'text');
  symlinkSync(join(root, 'outside.txt'), join(cwd, 'link.txt'));
  const outside: Attachment = {path: join(cwd, 'link.txt'), name: 'link.txt', kind: 'file'};
  expect((await blocks([outside], {})).remarks).toEqual([expect.stringContaining('/add-dir')]);
  expect((await blocks([outside])).remarks).toEqual([]);
});

test("attaches the session's files that the text mentions; any other @ is plain text", async () => {
  file('a.md', 'A');
  file('bare', 'B');
  writeFileSync(join(root, 'outside.txt'), 'O');
  mkdirSync(join(cwd, 'dir.d'));
  const text = `see @a.md, @a.md:1 @bare @dir.d @missing.md @../outside.txt joe@a.md "@a.md"`;
  const made = await blocks([], all, text);
  expect(made.blocks).toMatchObject([
    {resource: {text: 'A'}},
    {resource: {uri: expect.stringMatching(/a\.md#L1:1$/)}},
  ]);
  const attached = file('a.md', 'A');
  expect((await blocks([attached], all, 'see @a.md')).blocks).toHaveLength(1);
});
