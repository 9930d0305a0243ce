import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../support/driver/chat.ts';
import {AGENT_NAMES} from './lab/agents.ts';
import {ask, chatWith, printOnce} from './real-agent.ts';

const server = fileURLToPath(new URL('lab/mcp-server.mjs', import.meta.url));

/** Where the server logs its requests: in the home folder, which can be written inside a sandbox, too. */
const HEARD = '${HOME}/heard';

/** A file of two servers: one that logs its requests, and one that cannot be started. */
function twoServers(): string {
  const config = path.join(temporaryFolder('mcp'), 'servers.json');
  const lab = {command: 'node', args: [server], env: {HEARD, WORD: 'plain'}};
  writeFileSync(config, JSON.stringify({mcpServers: {lab, broken: {command: '/bin/false'}}}));
  return config;
}

test('/mcp confirms a server of Claude once its tool was used, and reports one that failed to start', async () => {
  const chat = await chatWith('claude', '--approve', 'all', '--mcp-config', twoServers());
  await ask(chat, 'use server', 'The server was used.');
  chat.type('/mcp\r');
  await chat.sees(/lab +on, started/);
  await chat.sees(/broken +on, reported unavailable by the agent/);
  expect(readFileSync(`${chat.home}/heard`, 'utf8')).toContain('tools/call');
});

test('Cline starts no server it gets, and nothing claims that it did', async () => {
  const chat = await chatWith('cline', '--mcp-config', twoServers());
  await ask(chat, 'say hello', 'Hello from the mock model.');
  expect(existsSync(`${chat.home}/heard`)).toBe(false);
  chat.type('/mcp\r');
  await chat.sees(/lab +on, start not confirmed/);
  chat.press('escape');
  await chat.noLongerSees('Space toggle');
  chat.type('/status\r');
  await chat.sees('lab (start not confirmed), broken (start not confirmed)');
});

test.each(AGENT_NAMES)('%s connects to an MCP server it gets, and lists its tools', async (name) => {
  const config = path.join(temporaryFolder('mcp'), 'servers.json');
  const lab = {command: 'node', args: [server, '${LAB_ARGUMENT:-nothing}'], env: {HEARD, WORD: 'plain'}};
  writeFileSync(config, JSON.stringify({mcpServers: {lab}}));
  const {exitCode, stderr, cwd} = await printOnce(name, '--mcp-config', config, 'say hello');
  expect({exitCode, stderr}).toMatchObject({exitCode: 0});
  const lines = readFileSync(path.join(cwd, '../heard'), 'utf8').split('\n');
  expect(lines[0]).toBe('started with nothing in plain');
  expect(lines).toEqual(expect.arrayContaining(['initialize', 'notifications/initialized', 'tools/list']));
});
