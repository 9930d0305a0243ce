import {expect, test} from 'vitest';
import {openWindow} from '../../../../support/window/app-window.ts';

const sandbox = {network: 'ask', sandboxSockets: 'none', writable: [], hosts: []} as const;

test.each([
  ['registry.example', 'network registry.example'],
  ['API.example.com:443', 'network api.example.com:443'],
  ['*.example.org', 'network *.example.org'],
  ['localhost', 'network localhost'],
  ['localhost:8080', 'network localhost:8080'],
  ['db:5432', 'network db:5432'],
  ['10.0.0.5:8080', 'network 10.0.0.5:8080'],
  ['[::1]:8080', 'network [::1]:8080'],
])('/sandbox %s adds a rule for that host', (host, text) => {
  const window = openWindow();
  window.agent({type: 'sandbox_changed', sandbox});
  window.say(`/sandbox ${host}`);
  expect(window.effects.at(-1)).toMatchObject({kind: 'add_rule', effect: 'allow', text});
});

test.each(['~/build', './name.example', '/srv/*.example', 'words and more'])(
  '/sandbox %s adds a folder',
  (folder) => {
    const window = openWindow();
    window.agent({type: 'sandbox_changed', sandbox});
    window.say(`/sandbox ${folder}`);
    expect(window.effects.at(-1)).toMatchObject({kind: 'call', action: 'addSandboxFolder', args: [folder]});
  },
);
