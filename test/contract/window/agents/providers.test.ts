import {readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openReady, temporaryFolder} from '../../../support/driver/chat.ts';

const SCRIPT = {
  initialize: {agentCapabilities: {providers: {}}},
  results: {
    'providers/list': {
      providers: [
        {
          providerId: 'main',
          supported: ['anthropic', 'bedrock'],
          required: true,
          current: {apiType: 'anthropic', baseUrl: 'http://localhost/anthropic'},
        },
      ],
    },
    'providers/set': {},
  },
};

test("a provider's header is not in the screen, the recording or the log", async () => {
  const folder = temporaryFolder('providers');
  const [record, log] = [path.join(folder, 'wire.jsonl'), path.join(folder, 'log')];
  const chat = await openReady({
    agent: fakeAgent('script', JSON.stringify(SCRIPT)),
    args: ['--record', record, '--no-mask', '--log-level', 'debug', '--log-file', log],
  });
  chat.type('/providers');
  chat.press('enter');
  await chat.sees('http://localhost/anthropic · required · also bedrock');
  chat.press('enter');
  await chat.sees('Ctrl+S submit');
  chat.press('tab');
  chat.press('tab');
  await chat.sees('❯ Headers');
  chat.type('X-Team: open-sesame');
  await chat.sees('*'.repeat('X-Team: open-sesame'.length));
  chat.press('ctrl+s');
  await chat.sees('Provider "main" is set to http://localhost/anthropic.');
  chat.press('ctrl+\\');
  await chat.sees('providers/set');
  chat.press('escape');
  await chat.noLongerSees('Protocol log');
  chat.type('/quit');
  chat.press('enter');
  await chat.ended();
  const written = chat.raw + readFileSync(record, 'utf8') + readFileSync(log, 'utf8');
  expect(written).toContain('X-Team');
  expect(written).toContain('[masked]');
  expect(written).not.toContain('open-sesame');
});
