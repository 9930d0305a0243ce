import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {compareSnapshots, pathOf} from '../../../../src/snapshots/differences.ts';
import {existingRepository} from '../../../../src/snapshots/repository.ts';
import {listSnapshots} from '../../../../src/snapshots/snapshot-log.ts';
import {temporaryFolder} from '../../storage/temporary-folder.ts';
import {idle, openClient, type OpenedClient} from '../open-client.ts';

const patient = () => ({state: temporaryFolder(), keepDays: 1, maxWaitMs: 60_000});

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
  const snapshots = patient();
  const client = await openClient(['fs'], {snapshots, approval: 'all'});
  const {cwd} = client;
  writeFileSync(join(cwd, 'before.txt'), 'by the user');
  await turn(client, 'write a.txt one');
  const names = async () => (await stored({cwd, ...snapshots})).map(({turn: of, when}) => `${of} ${when}`);
  await expect.poll(names, {timeout: 20_000}).toEqual(['1 before', '1 after']);
  const [before, after] = await stored({cwd, ...snapshots});
  expect(before?.session).toBe(client.state().sessionId);
  const repository = existingRepository(cwd, snapshots.state)!;
  const {files} = await compareSnapshots(repository, {from: before?.id ?? '', to: after?.id ?? ''});
  expect(files.map(pathOf)).toEqual(['a.txt']);
});

test('a prompt does not wait for a snapshot that takes too long: its turn is not covered', async () => {
  const snapshots = {...patient(), maxWaitMs: 0};
  const client = await openClient(['fs'], {snapshots, approval: 'all'});
  await turn(client, 'write a.txt one');
  const names = async () => (await stored({cwd: client.cwd, ...snapshots})).map(({when}) => when);
  await expect.poll(names, {timeout: 20_000}).toEqual(['after']);
  expect(client.log).toContain('turn 1 is not covered by review: reading the folder took too long');
});

test('a prompt that is cancelled while it waits is not sent', async () => {
  const client = await openClient(['fs'], {snapshots: patient()});
  client.prompt('write a.txt one');
  client.client.actions.cancel();
  const {lastTurn} = await client.until(idle, 'the end of the turn');
  expect(lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
  expect(prompts(client)).toBe(0);
});

test('where there is no git this is said once, and prompts are sent all the same', async () => {
  vi.stubEnv('PATH', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = await openClient(['fs'], {snapshots: patient(), approval: 'all'});
  await turn(client, 'write a one');
  await turn(client, 'write a two');
  const notices = client.state().entries.flatMap((entry) => (entry.type === 'notice' ? [entry.text] : []));
  expect(notices).toEqual(['Review is off for this folder: git was not found.']);
  expect(prompts(client)).toBe(2);
});
