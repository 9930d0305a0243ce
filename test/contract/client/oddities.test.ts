import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {messageText} from '../../../src/session/selectors.ts';
import {idle, openClient, openScripted, type OpenedClient} from './open-client.ts';

const program = fileURLToPath(new URL('../../../bin/acp-tui.js', import.meta.url));

/** A client of the agent of a recorded wire. */
function openRecorded(wire: string): Promise<OpenedClient> {
  const file = fileURLToPath(new URL(`../../../fixtures/wire/${wire}.ndjson`, import.meta.url));
  const args = [program, 'replay', file, '--serve'];
  return openClient([], {agent: {label: 'recorded', command: process.execPath, args, env: {}}});
}

/** What was said by whom, in order. */
function conversation({state}: OpenedClient): string[] {
  return Array.from(state().entries).flatMap((entry) => {
    if (entry.type === 'user_message') return [`you: ${messageText(entry).trim()}`];
    return entry.type === 'agent_message' ? [`agent: ${messageText(entry).trim()}`] : [];
  });
}

test('the mode that Gemini CLI tells as a message becomes the mode, and no message', async () => {
  const opened = await openRecorded('gemini-modes');
  const {actions} = opened.client;
  for (const mode of ['default', 'autoEdit', 'yolo'])
    expect(await actions.setMode(mode)).toMatchObject({ok: true});
  expect(opened.state().modes?.currentModeId).toBe('yolo');
  expect(conversation(opened)).toEqual([]);
});

test('another agent may say the same, and means it', async () => {
  const text = '[MODE_UPDATE] yolo';
  const opened = await openScripted({
    turns: [[{update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}}]],
  });
  opened.prompt('go');
  await opened.until(idle, 'the end');
  expect(opened.said()).toBe(text);
});

test('a copy of which OpenCode tells everything again stands there once', async () => {
  const opened = await openRecorded('opencode-fork');
  const prompt = 'Please say hello in one short sentence. Do not use any tools.';
  opened.prompt(prompt);
  await opened.until(idle, 'the end');
  const before = conversation(opened);
  expect(before).toEqual([
    `you: ${prompt}`,
    'agent: Hello from the **mock** model. This is `short` markdown.',
  ]);
  const {sessionId = ''} = opened.state();
  expect(await opened.client.actions.openSession({kind: 'continue', sessionId, fork: true})).toMatchObject({
    ok: true,
  });
  expect(opened.state().sessionId).not.toBe(sessionId);
  expect(conversation(opened)).toEqual(before);
});
