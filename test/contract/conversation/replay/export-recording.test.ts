import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createTab} from '../../../../src/app/initial.ts';
import {exportRecording} from '../../../../src/window/export-session.ts';
import type {RecordingLine} from '../../../../src/recording/format.ts';
import {reduceEvents, opened, prompted} from '../../../support/session/build.ts';
import {valueOf} from '../../storage/stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const TOKEN = `ghp_${'a1'.repeat(18)}`;
const said: RecordingLine = {
  t: 1,
  d: '>',
  m: {
    jsonrpc: '2.0',
    id: 1,
    method: 'session/prompt',
    params: {sessionId: 's1', prompt: [{type: 'text', text: TOKEN}]},
  },
};

async function exportOf(lines: readonly RecordingLine[], withSecrets: 'masked' | 'whole') {
  const cwd = temporaryFolder();
  const session = {...reduceEvents(opened, prompted('What is this?')), cwd};
  const tab = createTab({key: 'one', agentLabel: 'x', session, approval: 'none'});
  const effect = {kind: 'export_session', key: 'one', format: 'recording', file: undefined} as const;
  const wire = {lines, secrets: undefined};
  return exportRecording(tab, {...effect, withSecrets: withSecrets === 'whole'}, wire);
}

test('writes the kept messages beside the session, masked by default', async () => {
  const masked = valueOf(await exportOf([said], 'masked'));
  expect(masked.path.endsWith(join('/', 'What-is-this.ndjson'))).toBe(true);
  expect(masked.isWhole).toBe(false);
  expect(readFileSync(masked.path, 'utf8')).toContain('"method":"session/prompt"');
  expect(readFileSync(masked.path, 'utf8')).not.toContain(TOKEN);
  expect(readFileSync(valueOf(await exportOf([said], 'whole')).path, 'utf8')).toContain(TOKEN);
});

test('reports when no messages are kept', async () => {
  expect(await exportOf([], 'masked')).toMatchObject({ok: false, failure: {what: 'a recording'}});
});
