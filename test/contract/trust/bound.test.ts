import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {ALLOW, openStage, REFUSE, type Stage} from './stage.ts';

const DENIED = {code: -32_603};

/** Has the user allow what the agent requests. */
async function allow({asks, answers}: Stage, toolCall: Parameters<Stage['asks']>[0]) {
  const asking = asks(toolCall);
  const drawn = await answers(ALLOW);
  expect(await asking).toBe('yes');
  return drawn;
}

const allowed = {method: 'session/request_permission', outcome: 'allowed', by: 'user'};
const refusedWrite = {method: 'fs/write_text_file', outcome: 'rejected', by: 'user'};
const refusedCommand = {method: 'terminal/create', outcome: 'rejected', by: 'user'};

describe('a write', () => {
  test('is not covered by a read of the file', async () => {
    const stage = await openStage({files: {'notes.md': 'mine'}});
    const path = `${stage.cwd}/notes.md`;
    const read = await allow(stage, {title: 'Read notes.md', kind: 'read', locations: [{path}]});
    const writing = stage.requests('fs/write_text_file', {path, content: 'theirs'});
    const drawn = await stage.answers(REFUSE);
    expect(await writing).toMatchObject(DENIED);
    expect([read.shows('theirs'), drawn.shows('theirs')]).toEqual([false, true]);
    expect(stage.files()).toEqual({'notes.md': 'mine'});
    expect(stage.logged()).toMatchObject([allowed, {...refusedWrite, paths: [path]}]);
  });

  test('of other content than the approved diff is shown against that', async () => {
    const stage = await openStage({files: {'a.txt': 'old\n'}});
    const path = `${stage.cwd}/a.txt`;
    const content = [{type: 'diff' as const, path, oldText: 'old\n', newText: 'harmless\n'}];
    await allow(stage, {title: 'Edit a.txt', kind: 'edit', content});
    const writing = stage.requests('fs/write_text_file', {path, content: 'rm -rf ~\n'});
    const drawn = await stage.answers(REFUSE);
    expect(await writing).toMatchObject(DENIED);
    expect(drawn.shows('This is not what you approved for this file')).toBe(true);
    for (const text of ['harmless', 'rm -rf ~', 'old']) expect(drawn.shows(text)).toBe(true);
    expect(stage.files()).toEqual({'a.txt': 'old\n'});
    expect(stage.logged()).toMatchObject([allowed, refusedWrite]);
  });

  test('of exactly the approved diff is not asked about again', async () => {
    const stage = await openStage({files: {'a.txt': 'one\nold\n'}});
    const path = `${stage.cwd}/a.txt`;
    const content = [{type: 'diff' as const, path, oldText: 'old', newText: 'new'}];
    const drawn = await allow(stage, {title: 'Edit a.txt', kind: 'edit', content});
    expect(await stage.requests('fs/write_text_file', {path, content: 'one\nnew\n'})).toEqual({});
    expect(drawn.shows('new')).toBe(true);
    expect(stage.files()).toEqual({'a.txt': 'one\nnew\n'});
    expect(stage.logged()).toMatchObject([allowed, {by: 'an earlier answer', outcome: 'allowed'}]);
  });

  test('does not overwrite what the user saved while its request was waiting', async () => {
    const stage = await openStage({files: {'a.txt': 'old\n'}});
    const path = `${stage.cwd}/a.txt`;
    const writing = stage.requests('fs/write_text_file', {path, content: 'theirs\n'});
    await stage.reads();
    writeFileSync(path, 'saved by hand\n');
    const first = await stage.answers(ALLOW);
    const second = await stage.answers(REFUSE);
    expect(await writing).toMatchObject(DENIED);
    expect(first.shows('saved by hand')).toBe(false);
    expect(second.shows('The file has changed since you saw it')).toBe(true);
    expect(second.shows('saved by hand')).toBe(true);
    expect(stage.files()).toEqual({'a.txt': 'saved by hand\n'});
    expect(stage.logged()).toMatchObject([{...refusedWrite, outcome: 'allowed'}, refusedWrite]);
  });
});

describe('a command', () => {
  const programs = ['deploy'];

  test('is not covered without the arguments that were shown', async () => {
    const stage = await openStage({programs});
    const rawInput = {command: 'deploy', args: ['--dry-run']};
    const shown = await allow(stage, {title: 'Try it', kind: 'execute', rawInput});
    const running = stage.requests('terminal/create', {command: 'deploy'});
    await stage.answers(REFUSE);
    expect(await running).toMatchObject(DENIED);
    expect(shown.shows('--dry-run')).toBe(true);
    expect(stage.ran()).toEqual([]);
    expect(stage.logged()).toMatchObject([
      {...allowed, command: 'deploy --dry-run'},
      {...refusedCommand, command: 'deploy'},
    ]);
  });

  test('with the arguments and in the folder that were shown runs', async () => {
    const stage = await openStage({programs});
    mkdirSync(join(stage.cwd, 'sub'));
    const args = ['a  b', "it's"];
    const rawInput = {command: 'deploy', args, cwd: `${stage.cwd}/sub`};
    const drawn = await allow(stage, {title: 'Do it', kind: 'execute', rawInput});
    await stage.requests('terminal/create', rawInput);
    await expect.poll(stage.ran).toEqual([{cwd: `${stage.cwd}/sub`, argv: ['deploy', ...args]}]);
    for (const text of ['deploy', 'a  b', `${stage.cwd}/sub`]) expect(drawn.shows(text)).toBe(true);
  });

  test('passed to a script named like a shell is not the command itself', async () => {
    const stage = await openStage({programs});
    writeFileSync(join(stage.cwd, 'sh'), '#!/bin/sh\ndeploy --now\n');
    chmodSync(join(stage.cwd, 'sh'), 0o755);
    await allow(stage, {title: 'Look', kind: 'execute', rawInput: {command: 'true'}});
    const running = stage.requests('terminal/create', {command: './sh', args: ['-c', 'true']});
    const drawn = await stage.answers(REFUSE);
    expect(await running).toMatchObject(DENIED);
    expect(drawn.shows('./sh -c true')).toBe(true);
    expect(stage.ran()).toEqual([]);
    expect(stage.logged()).toMatchObject([allowed, refusedCommand]);
  });

  test('that was approved without a folder asks before it runs in another', async () => {
    const stage = await openStage({programs});
    const sub = join(stage.cwd, 'sub');
    mkdirSync(sub);
    await allow(stage, {title: 'Do it', kind: 'execute', rawInput: {command: 'deploy'}});
    const running = stage.requests('terminal/create', {command: 'deploy', cwd: sub});
    const drawn = await stage.answers(REFUSE);
    expect(await running).toMatchObject(DENIED);
    expect(drawn.shows(sub)).toBe(true);
    expect(stage.ran()).toEqual([]);
    expect(stage.logged()).toMatchObject([allowed, refusedCommand]);
  });

  test('does not run in a folder that became a link while its request was waiting', async () => {
    const stage = await openStage({programs});
    const sub = join(stage.cwd, 'sub');
    mkdirSync(sub);
    const running = stage.requests('terminal/create', {command: 'touch', args: ['here'], cwd: sub});
    await stage.reads();
    renameSync(sub, join(stage.cwd, 'was'));
    symlinkSync(stage.base, sub);
    const drawn = await stage.answers(ALLOW);
    expect(await running).toMatchObject({code: -32_602});
    expect(drawn.shows(sub)).toBe(true);
    expect(readdirSync(stage.base)).not.toContain('here');
    expect(stage.logged()).toMatchObject([{method: 'terminal/create', outcome: 'allowed'}]);
  });

  test('with a variable that was not shown is asked about, with it', async () => {
    const stage = await openStage({programs});
    await allow(stage, {title: 'Do it', kind: 'execute', rawInput: {command: 'deploy'}});
    const env = [{name: 'LD_PRELOAD', value: './theirs.so'}];
    const running = stage.requests('terminal/create', {command: 'deploy', env});
    const drawn = await stage.answers(REFUSE);
    expect(await running).toMatchObject(DENIED);
    expect(drawn.shows('LD_PRELOAD=./theirs.so')).toBe(true);
    expect(stage.ran()).toEqual([]);
  });
});

describe('a request', () => {
  const toolCallId = 'one';
  const asking = (command: string) => ({
    toolCallId,
    kind: 'execute' as const,
    title: 'Do it',
    rawInput: {command},
  });

  test('that the agent changes while it is drawn covers what was drawn when it was answered', async () => {
    const stage = await openStage({programs: ['safe', 'deploy']});
    const answered = stage.asks(asking('safe'));
    const before = await stage.reads();
    stage.does({
      update: {sessionUpdate: 'tool_call_update', toolCallId, rawInput: {command: 'deploy --now'}},
    });
    await expect.poll(() => stage.window.screen()).toContain('deploy --now');
    const after = await stage.answers(ALLOW);
    expect(await answered).toBe('yes');
    expect([before.shows('deploy'), after.shows('$ deploy --now'), after.shows('$ safe')]).toEqual([
      false,
      true,
      false,
    ]);
    const running = stage.requests('terminal/create', {command: 'safe'});
    await stage.answers(REFUSE);
    expect(await running).toMatchObject(DENIED);
    await stage.requests('terminal/create', {command: 'deploy', args: ['--now']});
    await expect.poll(stage.ran).toMatchObject([{argv: ['deploy', '--now']}]);
    expect(stage.logged()).toMatchObject([
      {...allowed, command: 'deploy --now'},
      {...refusedCommand, command: 'safe'},
      {by: 'an earlier answer', command: 'deploy --now'},
    ]);
  });

  test('keeps its own text beside another for the same tool call', async () => {
    const stage = await openStage({programs: ['safe', 'deploy']});
    const first = stage.asks(asking('safe'));
    await stage.reads();
    const second = stage.asks(asking('deploy --now'));
    await expect.poll(() => stage.state().pending.length).toBe(2);
    const drawn = await stage.answers(ALLOW);
    expect([drawn.shows('$ safe'), drawn.shows('deploy')]).toEqual([true, false]);
    expect(await first).toBe('yes');
    const other = await stage.answers(REFUSE);
    expect([other.shows('$ deploy --now'), other.shows('safe')]).toEqual([true, false]);
    expect(await second).toBe('no');
    const running = stage.requests('terminal/create', {command: 'deploy', args: ['--now']});
    await stage.answers(REFUSE);
    expect(await running).toMatchObject(DENIED);
    await stage.requests('terminal/create', {command: 'safe'});
    await expect.poll(stage.ran).toMatchObject([{argv: ['safe']}]);
    expect(stage.logged().map(({outcome, command}) => [outcome, command])).toEqual([
      ['allowed', 'safe'],
      ['rejected', 'deploy --now'],
      ['rejected', 'deploy --now'],
      ['allowed', 'safe'],
    ]);
  });

  test('that is changed offers the rule for what it says now', async () => {
    const stage = await openStage({programs: ['safe', 'deploy']});
    const answered = stage.asks(asking('safe'));
    await expect.poll(() => stage.window.screen()).toContain('execute safe');
    stage.does({update: {sessionUpdate: 'tool_call_update', toolCallId, rawInput: {command: 'deploy'}}});
    const drawn = async () => (await stage.reads()).text;
    await expect.poll(drawn).toContain('execute deploy');
    const shown = await stage.answers(REFUSE);
    expect(shown.shows('execute safe')).toBe(false);
    expect(await answered).toBe('no');
  });
});

test('the witnesses of these tests see what is done', async () => {
  const stage = await openStage({files: {a: 'x'}, programs: ['deploy'], approval: 'all'});
  await stage.requests('terminal/create', {command: 'deploy "a b"; echo y > b'});
  await expect.poll(stage.ran).toEqual([{cwd: stage.cwd, argv: ['deploy', 'a b']}]);
  await expect.poll(stage.files).toEqual({a: 'x', b: 'y\n'});
  expect(readFileSync(join(stage.cwd, 'a'), 'utf8')).toBe('x');
});
