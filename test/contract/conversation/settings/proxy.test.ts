import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {idle, openConversation} from '../open-conversation.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';

/** Passes on the input and output of the command after it, and adds to the agent's output. */
const PROXY = `
import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
const [command, ...args] = process.argv.slice(2);
const agent = spawn(command, args, {stdio: ['pipe', 'pipe', 'inherit']});
process.stdin.pipe(agent.stdin);
createInterface({input: agent.stdout}).on('line', (line) =>
  process.stdout.write(line.replace('"Hi."', '"Hi, by a proxy."') + '\\n'),
);
`;

const SCRIPT = {
  turns: [[{update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Hi.'}}}]],
};

test('a proxy in front of an agent works like any other agent', async () => {
  const proxy = join(temporaryFolder(), 'proxy.mjs');
  writeFileSync(proxy, PROXY);
  const args = [proxy, process.execPath, FAKE_AGENT, 'script', JSON.stringify(SCRIPT)];
  const agent = {label: 'proxied', command: process.execPath, args, env: {}};
  const opened = await openConversation([], {agent});
  opened.prompt('hello');
  await opened.until((state) => idle(state) && opened.said() !== '', 'the end of the turn');
  expect(opened.said()).toBe('Hi, by a proxy.');
});
