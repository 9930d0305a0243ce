import {describe, expect, test} from 'vitest';
import {writeJson} from '../../../src/export/json/json.ts';
import {readExport} from '../../../src/export/json/read.ts';
import type {SessionDocument} from '../../../src/export/document.ts';
import {reduce} from '../../../src/session/reduce.ts';
import {initialSession} from '../../../src/session/initial.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {reduceEvents, opened} from '../../support/session/build.ts';
import {eventsOf, recordings} from '../../support/session/recorded.ts';
import {exportDocument, sessionWith} from '../../support/session/everything.ts';

async function importedFrom(document: SessionDocument): Promise<SessionState> {
  const read = readExport(await writeJson(document), 'file');
  if (!read.ok) throw new Error(JSON.stringify(read.failure));
  const {session, entries, terminals} = read.value;
  return reduce(initialSession({cwd: session.cwd, additionalDirectories: [], at: 0}), {
    type: 'imported',
    title: session.title,
    entries,
    terminals,
    at: 1,
  });
}

/** What JSON keeps: nothing undefined. */
const kept = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(recordings)('the result of %s is the same after an export and an import', async (recording) => {
  const document = exportDocument(reduceEvents(opened, ...eventsOf(recording)));
  const again = exportDocument(await importedFrom(document));
  expect(kept(again.terminals)).toMatchObject(kept(lasting(document)) as object);
  expect(kept(again.entries)).toEqual(kept(finished(document)));
});

/** The end of a terminal is kept, not its current state. */
function lasting({terminals}: SessionDocument): readonly unknown[] {
  return Array.from(terminals, ({id, runBy, command, cwd, output, truncated, screen, exit}) => ({
    id,
    runBy,
    command,
    cwd,
    output,
    truncated,
    screen,
    exit,
  }));
}

function finished({entries}: SessionDocument) {
  return entries.map(({...entry}) => {
    // Its content has them.
    if (entry.type === 'tool_call') return {...entry, approvedChanges: undefined};
    return 'complete' in entry ? {...entry, complete: true, carry: undefined} : entry;
  });
}

test('a session with something of every kind is restored completely', async () => {
  const document = exportDocument(sessionWith('words'));
  expect(kept(exportDocument(await importedFrom(document)).entries)).toEqual(kept(finished(document)));
});

describe('a file that cannot be imported', async () => {
  const good = JSON.parse(await writeJson(exportDocument(sessionWith('words')))) as Record<string, unknown>;
  const changed = (change: object) => JSON.stringify({...good, ...change});
  test.each([
    ['text that is no JSON', '# A session', 'it is not an exported session'],
    ['other JSON', '{"a": 1}', 'it is not an exported session'],
    ['a later version', changed({v: 2}), 'it was written by a newer acp-tui'],
    ['an entry of an unknown type', changed({entries: [{type: 'x'}]}), 'it is corrupt at entries.0'],
    [
      'an entry without a required field',
      changed({entries: [{type: 'notice', id: '0', at: 1}]}),
      'it is corrupt at entries.0.level',
    ],
    [
      'an unknown failure',
      changed({entries: [{type: 'failure', id: '0', at: 1, failure: {kind: 'constructor'}}]}),
      'it is corrupt at entries.0.failure',
    ],
  ])('with %s is rejected with the reason', (_, text, problem) => {
    const read = readExport(text, 'file');
    expect(read).toMatchObject({
      ok: false,
      failure: {kind: 'file', problem: expect.stringContaining(problem)},
    });
  });
});

test('an import cannot control the terminal', async () => {
  const text = (await writeJson(exportDocument(sessionWith('words')))).replaceAll(
    'words',
    '\\u001b]0;x\\u0007\\u202ewords',
  );
  const read = readExport(text, 'file');
  if (!read.ok) throw new Error(JSON.stringify(read.failure));
  const {entries, terminals, session} = read.value;
  const state = reduce(initialSession({cwd: '/', additionalDirectories: [], at: 0}), {
    type: 'imported',
    title: session.title,
    entries,
    terminals,
    at: 1,
  });
  // The data of an image is no text, and never shown.
  const shown = JSON.stringify([state.entries, state.terminals, state.title], (key, value: unknown) =>
    key === 'data' ? undefined : value,
  );
  expect(shown).toContain('words');
  expect(shown).not.toMatch(/\\u001b|\u202e/);
});
