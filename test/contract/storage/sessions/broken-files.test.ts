import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {CommonOptions} from '../../../../src/cli/options.ts';
import {databaseFile, openDatabase} from '../../../../src/storage/database/database.ts';
import {sessionFile} from '../../../../src/storage/sessions/event-file.ts';
import {openSessionStore} from '../../../../src/storage/sessions/session-store.ts';
import {findResumeTarget} from '../../../../src/modes/start/resume-target.ts';
import {conversation, origin, storeConversation, storeIn, valueOf} from '../stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/* A store with any broken file starts, and reports what it left out. A session whose index is lost is found by its file. */

function sessionIn(folder: string, agentId: string): string {
  return storeConversation(storeIn(folder), conversation([[`prompt of ${agentId}`, 'Answer.']], agentId));
}

/** The store of a later process; its notices go into the list. */
function later(folder: string) {
  const reported: string[] = [];
  const database = openDatabase(folder, {onDamaged: (sentence) => reported.push(sentence)});
  const store = openSessionStore({
    state: folder,
    database,
    onProblem: (problem) => expect.unreachable(JSON.stringify(problem)),
    onLeftOut: (failures) => reported.push(...failures.map((failure) => JSON.stringify(failure))),
  });
  return {store, reported, close: () => database.close()};
}

function loseIndex(folder: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(databaseFile(folder) + ending, {force: true});
}

const BROKEN: readonly (readonly [name: string, make: (path: string) => void, why: string])[] = [
  ['a link to itself', (path) => symlinkSync(path, path), 'it is a link to itself'],
  ['links to nothing', (path) => symlinkSync('/nonesuch/file', path), 'does not exist'],
  ['a device without an end', (path) => symlinkSync('/dev/zero', path), 'not a regular file'],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'not a regular file'],
  ['a folder', (path) => mkdirSync(path), 'it is a folder'],
  ['an empty file', (path) => writeFileSync(path, ''), 'does not start as a session'],
  ['random bytes', (path) => writeFileSync(path, Buffer.from([0, 255, 10, 254, 13])), 'does not start as'],
];

describe.each(BROKEN)('%s in place of a session', (_name, make, why) => {
  test('is skipped and reported, and the others are listed', async () => {
    const folder = temporaryFolder();
    const id = sessionIn(folder, 'whole');
    loseIndex(folder);
    make(join(folder, 'sessions', 'brokenfile.ndjson'));
    const {store, reported, close} = later(folder);
    expect((await store.reindex()).ok).toBe(true);
    expect(valueOf(store.list()).map((session) => session.id)).toEqual([id]);
    expect(reported).toEqual([expect.stringContaining(why)]);
    expect(await store.locate('brokenfile', '/')).toMatchObject({ok: false});
    close();
  });
});

test('an unreadable file is skipped and reported, except for root, who may read it', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'sessions', `${sessionIn(folder, 'whole')}.ndjson`);
  loseIndex(folder);
  chmodSync(file, 0);
  const {store, reported, close} = later(folder);
  await store.reindex();
  const denied = process.getuid?.() === 0 ? [] : ['access is denied'];
  expect(reported.map((failure) => failure.match(/access is denied/)?.[0])).toEqual(denied);
  close();
});

describe('a session whose index is lost', () => {
  test("is found by its ID, a prefix of it, and by the agent's ID", async () => {
    for (const wanted of ['id', 'beginning', 'agent']) {
      const folder = temporaryFolder();
      const id = sessionIn(folder, 'of-agent');
      sessionIn(folder, 'another');
      loseIndex(folder);
      const {store, close} = later(folder);
      const text = {id, beginning: id.slice(0, 6), agent: 'of-agent'}[wanted] ?? '';
      expect(valueOf(await store.locate(text, '/'))).toMatchObject({id, agentSessionId: 'of-agent'});
      close();
    }
  });

  test('is found by its file alone, without reading the others', async () => {
    const folder = temporaryFolder();
    const id = sessionIn(folder, 'wanted');
    sessionIn(folder, 'other');
    loseIndex(folder);
    const {store, close} = later(folder);
    await store.locate(id, '/');
    expect(valueOf(store.list()).map((session) => session.id)).toEqual([id]);
    close();
  });

  test('is listed with the others that share the prefix', async () => {
    const folder = temporaryFolder();
    sessionIn(folder, 'one');
    sessionIn(folder, 'two');
    loseIndex(folder);
    const {store, close} = later(folder);
    expect(await store.locate('', '/')).toMatchObject({ok: false, failure: {valid: {length: 2}}});
    close();
  });

  test('is found while the index is unusable', async () => {
    const folder = temporaryFolder();
    const id = sessionIn(folder, 'of-agent');
    loseIndex(folder);
    mkdirSync(databaseFile(folder));
    const {store, close} = later(folder);
    expect(valueOf(await store.locate(id, '/'))).toMatchObject({id, agentSessionId: 'of-agent'});
    close();
  });

  const given = {agent: undefined, cwd: '/', additionalDirectories: [], fork: false, env: {}};

  test('resumes with -r, and with -c in its folder; a damaged database is reported', async () => {
    for (const wanted of ['named', 'newest'] as const) {
      const folder = temporaryFolder();
      const id = sessionIn(folder, 'of-agent');
      loseIndex(folder);
      writeFileSync(
        databaseFile(folder),
        'this is no database, but long enough to be taken for one'.repeat(20),
      );
      const reported: string[] = [];
      const options = {
        ...given,
        cwd: origin.cwd,
        resumeRequest: wanted === 'named' ? {which: wanted, id} : {which: wanted},
      } as unknown as CommonOptions;
      const picked = valueOf(
        await findResumeTarget(options, folder, {warn: (sentence) => reported.push(sentence)}),
      );
      expect(picked).toMatchObject({kept: {id}, opening: {kind: 'continue', sessionId: 'of-agent'}});
      expect(reported).toEqual([expect.stringMatching(/database .* was damaged/)]);
    }
  });

  test('reports the progress of reading many, and clears it at the end', async () => {
    const folder = temporaryFolder();
    const id = sessionIn(folder, 'of-agent');
    const whole = readFileSync(sessionFile(folder, id), 'utf8');
    for (let copy = 0; copy < 120; copy++) {
      const other = `copy${String(copy).padStart(6, '0')}`;
      writeFileSync(sessionFile(folder, other), whole.replaceAll(id, other));
    }
    loseIndex(folder);
    const shown: string[] = [];
    const options = {...given, cwd: origin.cwd, resumeRequest: {which: 'newest'}} as unknown as CommonOptions;
    valueOf(await findResumeTarget(options, folder, {status: (text) => shown.push(text)}));
    expect(shown[0]).toBe('Reading stored sessions: 1 of 121');
    expect(shown.at(-1)).toBe('');
  });
});
