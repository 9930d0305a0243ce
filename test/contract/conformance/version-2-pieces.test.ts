import {join} from 'node:path';
import {expect, test} from 'vitest';
import {quoteWords} from '../../../src/text/shell-quote.ts';
import type {JsonObject} from '../../../src/text/json.ts';
import {contentAfter} from '../../support/version-2-content.ts';
import {editorAgent, openHome} from '../modes/acp-agent/open-editor.ts';
import {rawClient} from './raw-client.ts';

const AGENT = quoteWords([process.execPath, join(import.meta.dirname, '../../../fixtures/v2-agent/main.ts')]);

/** A session of an editor of version 2. */
async function openSession() {
  const {cwd} = await openHome({protocol: '2'});
  const editor = rawClient(editorAgent(['--agent', AGENT]).stream, 2);
  await editor.initialize();
  const {result} = await editor.request('session/new', {cwd, mcpServers: []});
  const {sessionId} = result as {sessionId: string};
  return {editor, sessionId};
}

/** The updates that an editor gets of a call that grows by this many pieces. */
async function updatesOf(pieces: number): Promise<readonly JsonObject[]> {
  const {editor, sessionId} = await openSession();
  expect(await editor.prompt(sessionId, `${pieces} pieces`)).toMatchObject({stopReason: 'end_turn'});
  return editor.updates().filter(({toolCallId}) => toolCallId === 'c');
}

const expected = (count: number) =>
  Array.from({length: count}, (_, index) => ({
    type: 'content',
    content: {type: 'text', text: `test ${index} passed\n`},
  }));

test('an editor of version 2 gets each piece of a call once', async () => {
  const [few, many] = [await updatesOf(100), await updatesOf(1000)];
  expect(contentAfter(few, 'c')).toEqual(expected(100));
  expect(contentAfter(many, 'c')).toEqual(expected(1000));
  expect(many.at(-1)).toMatchObject({status: 'completed'});
  const exponent = Math.log10(JSON.stringify(many).length / JSON.stringify(few).length);
  expect(exponent).toBeLessThan(1.1);
});

test('an editor gets the last pieces of a call that goes on', async () => {
  const {editor, sessionId} = await openSession();
  const prompt = [{type: 'text', text: '10 pieces and hang'}];
  await editor.request('session/prompt', {sessionId, prompt});
  await expect.poll(() => contentAfter(editor.updates(), 'c')).toEqual(expected(10));
});
