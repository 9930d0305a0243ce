import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {beforeEach, describe, expect, test} from 'vitest';
import type {Turn} from '../fake-conversation.ts';
import {runFake} from '../run-fake.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';

let folder: string;
beforeEach(() => void (folder = temporaryFolder()));

const answers: Turn = async (agent) => {
  agent.say('First.', 'm1');
  agent.say('Last.', 'm2');
  return 'end_turn';
};
const all = {promptCapabilities: {embeddedContext: true, image: true}};

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('the prompt', () => {
  test('comes from the arguments', async () => {
    const {conversation} = await runFake(['explain', 'this'], answers);
    expect(conversation.prompts).toEqual([[{type: 'text', text: 'explain this'}]]);
  });

  test('comes from standard input without arguments', async () => {
    const {conversation} = await runFake([], answers, {stdin: 'from a pipe\n'});
    expect(conversation.prompts).toEqual([[{type: 'text', text: 'from a pipe'}]]);
  });

  test('comes from the arguments, then standard input, with -', async () => {
    const {conversation} = await runFake(['review', '-'], answers, {stdin: '+ a line\n'});
    expect(conversation.prompts).toEqual([[{type: 'text', text: 'review\n\n+ a line'}]]);
  });

  test('comes from the arguments, then what is piped', async () => {
    const {conversation} = await runFake(['review'], answers, {offeredStdin: '+ a line\n'});
    expect(conversation.prompts).toEqual([[{type: 'text', text: 'review\n\n+ a line'}]]);
  });

  test('comes with a warning if standard input is ignored', async () => {
    const run = await runFake(['explain'], answers, {ignoredStdin: true});
    expect(run.conversation.prompts).toEqual([[{type: 'text', text: 'explain'}]]);
    expect(run.stderr).toBe('acp-tui: warning: Standard input is ignored.\n');
    expect(run.exitCode).toBe(0);
  });
});

describe('a file', () => {
  test('of text is embedded if the agent supports it', async () => {
    const path = file('ä b.md', '# Title\n');
    const {conversation} = await runFake(['x', '-f', path], answers, {capabilities: all});
    expect(conversation.prompts[0]?.[1]).toEqual({
      type: 'resource',
      resource: {uri: pathToFileURL(path).href, text: '# Title\n'},
    });
  });

  test('that is an image is sent as one if the agent supports it', async () => {
    const path = file('dot.PNG', new Uint8Array([137, 80, 78, 71]));
    const {conversation} = await runFake(['x', '-f', path], answers, {capabilities: all});
    expect(conversation.prompts[0]?.[1]).toMatchObject({
      type: 'image',
      mimeType: 'image/png',
      data: 'iVBORw==',
    });
  });

  test.each([
    ['text, for an agent without embedded context', 'a.txt', 'text', {}],
    ['an image, for an agent without image support', 'a.png', 'png', {}],
    ['binary', 'a.bin', new Uint8Array([1, 0, 2]), all],
    ['no UTF-8', 'a.txt', new Uint8Array([0xff, 0x41]), all],
    ['too large', 'a.txt', 'x'.repeat(256 * 1024 + 1), all],
  ])('that is %s is linked', async (...row) => {
    const [, name, content, capabilities] = row;
    const path = file(name, content);
    const {conversation} = await runFake(['x', '-f', path], answers, {capabilities});
    expect(conversation.prompts[0]?.[1]).toEqual({
      type: 'resource_link',
      uri: pathToFileURL(path).href,
      name,
      size: content.length,
    });
  });

  test('that is a folder is a usage error', async () => {
    const run = await runFake(['x', '-f', folder], answers);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('folder');
  });

  test('can be the whole prompt', async () => {
    const {conversation, exitCode} = await runFake(['-f', file('a.txt', 'text'), ''], answers, {
      capabilities: all,
    });
    expect(exitCode).toBe(0);
    expect(conversation.prompts[0]?.map(({type}) => type)).toEqual(['resource']);
  });
});

describe('--output', () => {
  test('gets the last message, besides standard output', async () => {
    const path = join(folder, 'answer.md');
    const run = await runFake(['x', '-o', path], answers);
    expect(readFileSync(path, 'utf8')).toBe('Last.\n');
    expect(run.stdout).toBe('First.\n\nLast.\n');
    expect(readdirSync(folder)).toEqual(['answer.md']);
  });

  test('is unchanged when no turn started', async () => {
    const path = file('answer.md', 'earlier');
    const run = await runFake(['x', '-o', path], answers, {
      opening: {kind: 'command_not_found', command: 'nonesuch'},
    });
    expect(run.exitCode).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe('earlier');
  });

  test('is emptied when the agent said nothing, so that an old answer is not mistaken for a new one', async () => {
    const path = file('answer.md', 'earlier');
    await runFake(['x', '-o', path], async () => 'refusal');
    expect(readFileSync(path, 'utf8')).toBe('');
  });
});
