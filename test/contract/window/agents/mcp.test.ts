import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openChat, openReady, newHome, untilTurnsEnd, say} from '../../../support/driver/chat.ts';

const LIT = 'why am I asked';

/** A project in a home, with a program, a server in the settings, and one in the project settings. */
function projectWithServers() {
  const settings = {
    mcpServers: {
      docs: {url: 'https://${DOCS_HOST:-docs.example}/mcp'},
      lost: {command: 'nobody-has-this', env: {KEY: '${UNSET_KEY}'}},
    },
  };
  const home = newHome(settings);
  const cwd = path.join(home, 'project');
  mkdirSync(cwd);
  const program = path.join(cwd, 'serve.sh');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  writeFileSync(path.join(cwd, '.mcp.json'), '{"mcpServers":{"files":{"command":"./serve.sh"}}}');
  return {home, cwd, program};
}

test('MCP servers come from settings and, once trusted, the folder; /mcp switches one for the next session', async () => {
  const {home, cwd, program} = projectWithServers();
  const chat = openChat({
    home,
    cwd,
    agent: fakeAgent('servers'),
    args: ['which servers'],
    rows: 40,
  });
  await chat.sees('acp-tui asks');
  await chat.sees('files runs: ./serve.sh');
  await chat.hasSeen('MCP server "lost"');
  await chat.sees(LIT);
  chat.press('escape');
  await chat.sees('Tab answer');
  chat.press('tab');
  await chat.sees(LIT);
  chat.type('1');
  // The command-line prompt waits until the session has been reopened with them.
  await untilTurnsEnd(chat);
  const reported = chat.history().replaceAll(/\s+/g, ' ');
  expect(reported).toContain(`I got 2 servers: docs at https://docs.example/mcp, files at ${program}`);

  chat.type('/mcp\r');
  await chat.sees('on, start not confirmed · stdio · .mcp.json');
  await chat.sees('skipped: the variable UNSET_KEY is not set');
  chat.type('files');
  await chat.sees(/ 1 of 3 ─[^]*Space toggle/);
  chat.type(' ');
  await chat.sees('on, start not confirmed; next session: off');
  await chat.sees('files is off from the next session; /new starts one.');
  chat.press('escape');
  await chat.noLongerSees('Space toggle');
  await say(chat, 'again', 2);
  chat.type('/new\r');
  await chat.hasSeen('New session.');
  await say(chat, 'once more', 3);
  const said = [...chat.history().matchAll(/I got (\d) servers/g)].map(([, count]) => count);
  expect(said).toEqual(['2', '2', '1']);

  const next = await openReady({home, cwd, agent: fakeAgent('servers'), rows: 40});
  next.type('/mcp\r');
  await next.sees('off · stdio · .mcp.json');
});
