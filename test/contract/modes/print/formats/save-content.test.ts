import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {resultSchema} from '../../../../../src/modes/print/schema.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';
import {exactly} from '../../../../support/program/exactly.ts';
import type {Turn} from '../fake-conversation.ts';
import {runFake} from '../run-fake.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const png = {type: 'image', mimeType: 'image/png', data: PNG.toString('base64')} as const;

let folder = '';
beforeEach(() => {
  folder = join(temporaryFolder(), 'made', 'here');
});

/** An answer with an image, whose tool call returned a text and a file. */
const sends: Turn = async (agent) => {
  agent.update({
    sessionUpdate: 'tool_call',
    toolCallId: 'call-1',
    title: 'Plot',
    content: [
      {type: 'content', content: {type: 'resource', resource: {uri: 'x:notes.md', text: 'grün'}}},
      {type: 'content', content: {type: 'resource', resource: {uri: 'x:../package.json', blob: 'AAAA'}}},
    ],
  });
  agent.say('Here: https://example.com/');
  agent.update({
    sessionUpdate: 'agent_message_chunk',
    content: {...png, uri: 'file:///x/chart.png'},
  });
  return 'end_turn';
};

const namesIn = (path: string) => readdirSync(path).sort();

describe('--save-content', () => {
  test('writes the content of the answer and its tools, and json names it', async () => {
    const run = await runFake(['x', '--save-content', folder, '--output-format', 'json'], sends);
    const {content} = exactly(resultSchema, run.stdout);
    expect(content).toEqual([
      {
        name: 'notes.md',
        kind: 'text',
        mimeType: null,
        bytes: 5,
        path: join(folder, '001-notes.md'),
        toolCallId: 'call-1',
        subagent: null,
      },
      {
        name: 'package.json',
        kind: 'blob',
        mimeType: null,
        bytes: 3,
        path: join(folder, '002-package.json'),
        toolCallId: 'call-1',
        subagent: null,
      },
      {
        name: 'chart.png',
        kind: 'image',
        mimeType: 'image/png',
        bytes: 8,
        path: join(folder, '003-chart.png'),
        toolCallId: null,
        subagent: null,
      },
    ]);
    expect(namesIn(folder)).toEqual(['001-notes.md', '002-package.json', '003-chart.png']);
    expect(readFileSync(join(folder, '001-notes.md'), 'utf8')).toBe('grün');
    expect(readFileSync(join(folder, '003-chart.png'))).toEqual(PNG);
    expect(statSync(join(folder, '003-chart.png')).mode & 0o777).toBe(0o600);
    expect(run).toMatchObject({exitCode: 0, stderr: ''});
  });

  test('prints only one line to standard error with text', async () => {
    const run = await runFake(['x', '--save-content', folder], sends);
    expect(run.stdout).toBe('Here: https://example.com/\n');
    expect(run.stderr).toContain(`content: saved 3 files in ${folder}\n`);
  });

  test('without it json names the same, and nothing is written', async () => {
    const run = await runFake(['x', '--output-format', 'json'], sends);
    const {content} = exactly(resultSchema, run.stdout);
    expect(content.map(({name, path}) => [name, path])).toEqual([
      ['notes.md', null],
      ['package.json', null],
      ['chart.png', null],
    ]);
  });

  test('without it every format says what the answer has besides text, and how to get it', async () => {
    const words = "The answer's text leaves out chart.png (image/png, 8 B). --save-content <dir> saves it.";
    for (const format of ['text', 'quiet', 'json', 'stream-json', 'acp'])
      expect((await runFake(['x', '--output-format', format], sends)).stderr).toContain(
        `acp-tui: warning: ${words}\n`,
      );
    const {stdout} = await runFake(['x', '--output-format', 'json'], sends);
    const {notices} = exactly(resultSchema, stdout);
    expect(notices).toContainEqual({level: 'warning', text: words, source: 'client'});
  });

  test('an answer of many pictures and sounds names a few', async () => {
    const run = await runFake(['x'], async (agent) => {
      const audio = {type: 'audio', mimeType: 'audio/wav', data: 'AAAA'} as const;
      for (const content of [png, audio, png, png, png])
        agent.update({sessionUpdate: 'agent_message_chunk', content});
      return 'end_turn';
    });
    expect(run.stderr).toContain(
      ' image (image/png, 8 B), audio (audio/wav, 3 B), image (image/png, 8 B), 2 more. --save',
    );
  });

  test('a text file and what only tools returned are not announced', async () => {
    const run = await runFake(['x'], async (agent) => {
      const resource = {uri: 'x:notes.md', text: 'green'};
      agent.update({sessionUpdate: 'agent_message_chunk', content: {type: 'resource', resource}});
      const content = [{type: 'content', content: png}] as const;
      agent.update({sessionUpdate: 'tool_call', toolCallId: 'one', title: 'Plot', content: [...content]});
      return 'end_turn';
    });
    expect(run.stderr).not.toContain('--save-content');
    expect(run.stdout).toBe('green\n');
  });

  test('names the subagent that sent the content', async () => {
    const run = await runFake(['x', '--output-format', 'json'], async (agent) => {
      agent.update({sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Painter'});
      const update = {sessionUpdate: 'agent_message_chunk', content: png} as const;
      agent.emit({type: 'subagent_updated', sessionId: 'child', update});
      return 'end_turn';
    });
    expect(exactly(resultSchema, run.stdout).content).toMatchObject([{name: 'image', subagent: 'child'}]);
  });

  test('skips invalid base64, says so, and saves the rest', async () => {
    const run = await runFake(['x', '--save-content', folder], async (agent) => {
      for (const data of ['not base64!', png.data])
        agent.update({sessionUpdate: 'agent_message_chunk', content: {...png, data}});
      return 'end_turn';
    });
    expect(namesIn(folder)).toEqual(['002-image.png']);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('Its data is not base64.');
  });

  test('replaces no file and follows no link', async () => {
    const outside = join(temporaryFolder(), 'outside');
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, '001-notes.md'), 'mine');
    symlinkSync(outside, join(folder, '003-chart.png'));
    await runFake(['x', '--save-content', folder], sends);
    expect(readFileSync(join(folder, '001-notes.md'), 'utf8')).toBe('mine');
    expect(existsSync(outside)).toBe(false);
    expect(namesIn(folder)).toEqual([
      '001-notes-2.md',
      '001-notes.md',
      '002-package.json',
      '003-chart-2.png',
      '003-chart.png',
    ]);
  });

  test('names an unusable folder before anything is sent', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const run = await runFake(['x', '--save-content', file], sends);
    expect(run).toMatchObject({exitCode: 2, stdout: ''});
    expect(run.stderr).toMatch(/file".* not a folder/);
    expect(run.conversation.calls).not.toContain('open');
  });

  test('leaves out what the user sent', async () => {
    const mine = join(temporaryFolder(), 'mine.png');
    writeFileSync(mine, PNG);
    const capabilities = {promptCapabilities: {image: true}};
    const run = await runFake(['x', '-f', mine, '--output-format', 'json'], async () => 'end_turn', {
      capabilities,
    });
    expect(exactly(resultSchema, run.stdout).content).toEqual([]);
  });
});
