import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import type {ClientOptions} from '../../../../src/client/options.ts';
import {compareSnapshots, pathOf} from '../../../../src/snapshots/differences.ts';
import {existingRepository} from '../../../../src/snapshots/repository.ts';
import {listSnapshots} from '../../../../src/snapshots/snapshot-log.ts';
import {createTurnSnapshots} from '../../../../src/snapshots/turn-snapshots.ts';
import {temporaryFolder} from '../../storage/temporary-folder.ts';
import {idle, openClient, type OpenedClient} from '../open-client.ts';

function patient(maxWaitMs = 60_000) {
  const state = temporaryFolder();
  const openSnapshots: ClientOptions['openSnapshots'] = (of) =>
    createTurnSnapshots({...of, state, keepDays: 1, maxWaitMs});
  return {state, openSnapshots};
}

async function turn({prompt, until, state}: OpenedClient, text: string): Promise<void> {
  const last = state().lastTurn?.turn;
  prompt(text);
  await until((now) => idle(now) && now.lastTurn?.turn !== last, `the end of ${text}`);
}

async function stored({cwd, state}: {readonly cwd: string; readonly state: string}) {
  const repository = existingRepository(cwd, state);
  return repository ? listSnapshots(repository) : [];
}

const prompts = ({sent}: OpenedClient) => sent().filter(({method}) => method === 'session/prompt').length;

test('snapshots are taken before each prompt and after each turn', async () => {
  const {state, openSnapshots} = patient();
  const client = await openClient(['fs'], {openSnapshots, approval: 'all'});
  const {cwd} = client;
  writeFileSync(join(cwd, 'before.txt'), 'by the user');
  await turn(client, 'write a.txt one');
  const names = async () => (await stored({cwd, state})).map(({turn: of, when}) => `${of} ${when}`);
  await expect.poll(names, {timeout: 20_000}).toEqual(['1 before', '1 after']);
  const [before, after] = await stored({cwd, state});
  expect(before?.session).toBe(client.state().sessionId);
  const repository = existingRepository(cwd, state)!;
  const {files} = await compareSnapshots(repository, {from: before?.id ?? '', to: after?.id ?? ''});
  expect(files.map(pathOf)).toEqual(['a.txt']);
});

test('a prompt does not wait for a snapshot that takes too long: its turn is not covered', async () => {
  const {state, openSnapshots} = patient(0);
  const client = await openClient(['fs'], {openSnapshots, approval: 'all'});
  await turn(client, 'write a.txt one');
  const names = async () => (await stored({cwd: client.cwd, state})).map(({when}) => when);
  await expect.poll(names, {timeout: 20_000}).toEqual(['after']);
  expect(client.log).toContain('turn 1 is not covered by review: reading the folder took too long');
});

test('a prompt that is cancelled while it waits is not sent', async () => {
  const client = await openClient(['fs'], {openSnapshots: patient().openSnapshots});
  client.prompt('write a.txt one');
  client.client.actions.cancel();
  const {lastTurn} = await client.until(idle, 'the end of the turn');
  expect(lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
  expect(prompts(client)).toBe(0);
});

test('where there is no git this is said once, and prompts are sent all the same', async () => {
  vi.stubEnv('PATH', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = await openClient(['fs'], {openSnapshots: patient().openSnapshots, approval: 'all'});
  await turn(client, 'write a one');
  await turn(client, 'write a two');
  const notices = client.state().entries.flatMap((entry) => (entry.type === 'notice' ? [entry.text] : []));
  expect(notices).toEqual(['Review is off for this folder: git was not found.']);
  expect(prompts(client)).toBe(2);
});

describe.each([
  ['only snapshots know', {}],
  ['was also written through acp-tui', {changesFolder: 'kept'}],
])('/undo of what %s', (_what, kept) => {
  async function written() {
    const folder = temporaryFolder();
    const changes = 'changesFolder' in kept ? {changesFolder: join(folder, kept.changesFolder)} : {};
    const client = await openClient(['fs'], {
      openSnapshots: patient().openSnapshots,
      approval: 'all',
      ...changes,
    });
    writeFileSync(join(client.cwd, 'a.txt'), 'zero');
    await turn(client, 'write a.txt one');
    await turn(client, 'write new/b.txt two');
    // What is changed before the snapshot after a turn is part of the turn.
    await client.client.actions.planUndo();
    return client;
  }

  test('restores the newest turn, then the one before', async () => {
    const {cwd, client, state} = await written();
    const {actions} = client;
    expect(await actions.planUndo()).toEqual({
      turn: 2,
      files: [{path: join(cwd, 'new/b.txt'), does: 'delete'}],
    });
    await actions.undo(2);
    expect(existsSync(join(cwd, 'new/b.txt'))).toBe(false);
    expect(await actions.planUndo()).toEqual({turn: 1, files: [{path: join(cwd, 'a.txt'), does: 'restore'}]});
    await actions.undo(1);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('zero');
    expect(await actions.planUndo()).toBeUndefined();
    const notices = state().entries.flatMap((entry) => (entry.type === 'notice' ? [entry.text] : []));
    expect(notices.slice(-2)).toEqual([
      'Turn 2 undone: deleted new/b.txt. The agent is not notified.',
      'Turn 1 undone: restored a.txt. The agent is not notified.',
    ]);
  });

  test('leaves alone what has changed since', async () => {
    const {cwd, client} = await written();
    writeFileSync(join(cwd, 'new/b.txt'), 'by the user');
    const {actions} = client;
    expect((await actions.planUndo())?.turn).toBe(1);
    await actions.undo(2);
    expect(readFileSync(join(cwd, 'new/b.txt'), 'utf8')).toBe('by the user');
  });
});
