import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../pty/driver/chat.ts';
import {AGENT_NAMES} from './lab/agents.ts';
import {oneShot} from './real-agent.ts';

const server = fileURLToPath(new URL('lab/mcp-server.mjs', import.meta.url));

test.each(AGENT_NAMES)(
  '%s connects to an MCP server that it is told of, and lists its tools',
  async (name) => {
    const folder = temporaryFolder('mcp');
    const heard = path.join(folder, 'heard');
    const config = path.join(folder, 'servers.json');
    const lab = {
      command: 'node',
      args: [server, '${LAB_ARGUMENT:-nothing}'],
      env: {HEARD: heard, WORD: 'plain'},
    };
    writeFileSync(config, JSON.stringify({mcpServers: {lab}}));
    const {exitCode, stderr} = await oneShot(name, '--mcp-config', config, 'say hello');
    expect({exitCode, stderr}).toMatchObject({exitCode: 0});
    const lines = readFileSync(heard, 'utf8').split('\n');
    expect(lines[0]).toBe('started with nothing in plain');
    expect(lines).toEqual(expect.arrayContaining(['initialize', 'notifications/initialized', 'tools/list']));
  },
);
