import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {Hook} from '../../../../src/session/settings/hooks.ts';
import {settingsIn} from '../../../../src/settings/settings.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {noPermissions} from '../conversation-defaults.ts';
import {idle, openScripted} from '../open-conversation.ts';

const page = readFileSync('docs/commands-and-hooks.md', 'utf8');
const examples = [...page.matchAll(/```json\n([^]*?)```/g)]
  .map(([, text = '']) => JSON.parse(text) as object)
  .filter((example) => 'hooks' in example);

/** The hooks of an example, in the order of the page. */
function example(index: number): readonly Hook[] {
  const {hooks, problems} = settingsIn(examples[index]!, '');
  expect(problems).toEqual([]);
  return hooks;
}

/** A program of this name comes first on PATH; it writes its arguments to a file. */
function standIn(name: string): () => string {
  const folder = temporaryFolder();
  const said = path.join(folder, 'said');
  writeFileSync(said, '');
  writeFileSync(path.join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$@" >> ${said}\n`);
  chmodSync(path.join(folder, name), 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => readFileSync(said, 'utf8');
}

async function turnWith(hooks: readonly Hook[]) {
  const diff = [{type: 'diff', path: '/x/a b.txt', oldText: null, newText: 'new'}];
  const call = {toolCallId: 'c', title: 'Write', kind: 'edit', status: 'completed', content: diff};
  const opened = await openScripted(
    {turns: [[{update: {sessionUpdate: 'tool_call', ...call}}]]},
    {permissions: {...noPermissions, hooks: () => hooks}},
  );
  opened.prompt('go');
  await opened.until(idle, 'the end of the turn');
  return opened;
}

test('the first formats the file that was edited', async () => {
  const said = standIn('npx');
  const {conversation} = await turnWith(example(0));
  await conversation.close();
  expect(said()).toBe('prettier\n--write\n--ignore-unknown\n/x/a b.txt\n');
});

test('the second notifies the desktop', async () => {
  const said = standIn('notify-send');
  const {conversation} = await turnWith(example(1));
  conversation.notified('demo "is" done; $(whoami)');
  await expect.poll(said).toBe('acp-tui\ndemo "is" done; $(whoami)\n');
});

test('the third posts the end of the turn', async () => {
  const posted: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      posted.push(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const {port} = server.address() as AddressInfo;
  const [hook] = example(2);
  const {conversation} = await turnWith([{...hook!, command: hook!.command.replace('8080', String(port))}]);
  await conversation.close();
  expect(posted).toHaveLength(1);
  expect(JSON.parse(posted[0]!)).toMatchObject({hook_event_name: 'Stop', stop_reason: 'end_turn'});
});
