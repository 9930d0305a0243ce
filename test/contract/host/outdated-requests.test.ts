import {existsSync} from 'node:fs';
import {readFile, rm, symlink, writeFile} from 'node:fs/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import type {PermissionAnswer} from '../../../src/session/actions.ts';
import {diff, type HostUnderTest, useHosts} from './hosts.ts';

const {setUp, at} = useHosts();

/** Requests a change, and changes something as soon as the request waits. */
async function askThen(
  under: HostUnderTest,
  content: acp.ToolCallContent[],
  change: () => Promise<unknown>,
): Promise<{readonly answered: Promise<string>}> {
  const before = under.asked.length;
  const answered = under.permission({kind: 'edit', content});
  await expect.poll(() => under.asked.length).toBe(before + 1);
  await change();
  return {answered};
}

describe('allowing a change', () => {
  test.each<[string, string | null, acp.ToolCallContent[], () => Promise<unknown>]>([
    ['that the user created meanwhile', null, [diff('a', 'x')], () => writeFile(at('a'), 'mine')],
    ['that was saved', 'old', [diff('a', 'x', 'old')], () => writeFile(at('a'), 'mine')],
    [
      'that was saved but still matches the diff',
      'old',
      [diff('a', 'x', 'old')],
      () => writeFile(at('a'), 'old\nmine'),
    ],
    ['that was deleted', 'old', [diff('a', 'x', 'old')], () => rm(at('a'))],
  ])('does not count for a file %s until it is repeated', async (_, before, ...[content, change]) => {
    if (before !== null) await writeFile(at('a'), before);
    const under = setUp();
    const {answered} = await askThen(under, content, change);
    await under.answer('allow_once');
    await expect.poll(() => under.outdated).toEqual([[{path: 'a', why: 'changed'}]]);
    expect(under.decisions).toEqual([]);
    await under.answer('allow_once');
    expect(await answered).toBe('x-once');
  });

  test('counts as cancelled, once, if the turn is cancelled while the files are checked', async () => {
    await writeFile(at('a'), 'old');
    const under = setUp();
    const {answered} = await askThen(under, [diff('a', 'x', 'old')], async () => undefined);
    await under.answer('allow_once');
    under.host.cancelPending();
    expect(await answered).toBe('cancelled');
    // Checked after the request before it.
    const {answered: second} = await askThen(under, [diff('a', 'y', 'old')], async () => undefined);
    await under.answer('allow_once');
    expect(await second).toBe('x-once');
    expect(under.decisions.map(({outcome}) => outcome)).toEqual(['cancelled', 'allowed']);
  });

  test("covers no write that would lose the file's current content", async () => {
    await writeFile(at('a'), 'old');
    const under = setUp();
    const {answered} = await askThen(under, [diff('a', 'x', 'old')], () => writeFile(at('a'), 'mine'));
    await under.answer('allow_once');
    await expect.poll(() => under.outdated.length).toBe(1);
    await under.answer('allow_once');
    await answered;
    const writing = under.write(at('a'), 'x');
    await expect.poll(() => under.asked.length).toBe(2);
    expect(under.asked[1]!.request.toolCall.content).toContainEqual({
      ...diff(at('a'), 'x', 'mine'),
    });
    await under.answer('reject_once');
    await writing;
    expect(await readFile(at('a'), 'utf8')).toBe('mine');
  });

  test('counts at once if the file is unchanged or outside the workspace', async () => {
    await writeFile(at('a'), 'old');
    await symlink('/dev/zero', at('zero'));
    const under = setUp();
    const content = [diff('a', 'x', 'old'), diff('/etc/hostname', 'x'), diff('zero', 'x')];
    const {answered} = await askThen(under, content, async () => undefined);
    await under.answer('allow_once');
    expect(await answered).toBe('x-once');
    expect(under.outdated).toEqual([]);
  });

  test('does not count if the agent changes the request while the files are checked', async () => {
    const under = setUp();
    const {answered} = await askThen(under, [diff('a', 'x')], async () => undefined);
    await under.answer('allow_once');
    const update = {toolCallId: 't', content: [diff('a', 'rm -rf')]};
    under.host.toolCallUpdated('s', update);
    await expect.poll(() => under.outdated).toEqual([[]]);
    expect(under.decisions).toEqual([]);
    await under.answer('reject_once');
    expect(await answered).toBe('x-no');
  });
});

describe('an answer while a change by the agent is evaluated does not cover the next change', () => {
  async function answerBetween(under: HostUnderTest, answer: PermissionAnswer) {
    const {answered} = await askThen(under, [diff('a', 'x')], async () => undefined);
    under.host.toolCallUpdated('s', {toolCallId: 't', content: [diff('a', 'y')]});
    const answering = under.host.answer(under.asked[0]!.id, answer);
    under.host.toolCallUpdated('s', {toolCallId: 't', content: [diff('b', 'z')]});
    return {answered, taken: await answering};
  }

  test('if it allows the request', async () => {
    const under = setUp();
    const {answered} = await answerBetween(under, {kind: 'option', index: 1});
    await expect.poll(() => under.outdated).toEqual([[]]);
    await under.answer('reject_once');
    expect(await answered).toBe('x-no');
  });

  test('if it is what the user made of the file', async () => {
    const under = setUp();
    const {answered, taken} = await answerBetween(under, {kind: 'edited', content: 'mine'});
    expect(taken).toMatchObject({failure: {kind: 'answer_not_taken'}});
    expect([existsSync(at('a')), existsSync(at('b'))]).toEqual([false, false]);
    await under.answer('reject_once');
    expect(await answered).toBe('x-no');
  });
});

test('a rejection counts at once, whatever the file contains', async () => {
  const under = setUp();
  const {answered} = await askThen(under, [diff('a', 'x')], () => writeFile(at('a'), 'mine'));
  await under.answer('reject_once');
  expect(await answered).toBe('x-no');
  expect(under.outdated).toEqual([]);
});

test.each<[string, acp.ToolCallContent[], boolean]>([
  ['the whole file', [diff('a', 'x', 'one\ntwo\n')], true],
  ['a part of it', [diff('a', 'x', 'one')], true],
  ['different line ends', [diff('a', 'x', 'one\r\ntwo\r\n')], true],
  ['a part, and the result of the change', [diff('a', '1', 'one'), diff('a', '2', '1\ntwo')], true],
  ['the new content', [diff('a', 'one\ntwo\n', 'zero')], true],
  ['a new file', [diff('a', 'x')], false],
  ['an empty file', [diff('a', 'x', '')], false],
  ['something else', [diff('a', 'x', 'three')], false],
])('a request whose diff starts from %s', async (_, content, fits) => {
  await writeFile(at('a'), 'one\ntwo\n');
  const under = setUp();
  const answered = under.permission({kind: 'edit', content});
  await under.answer('reject_once');
  await answered;
  expect(under.asked[0]!.outdated).toEqual(fits ? undefined : [{path: 'a', why: 'differs'}]);
});
