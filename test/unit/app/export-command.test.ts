import {expect, test} from 'vitest';
import {nothing} from '../../../src/app/effects.ts';
import {exportCommand} from '../../../src/app/commands/transfer-commands.ts';
import {initialApp, createTab} from '../../../src/app/initial.ts';
import {reduceEvents, opened, prompted} from '../../support/session/build.ts';

const start = {
  key: 'one',
  agentLabel: 'some-agent',
  session: reduceEvents(opened, prompted('hi')),
  approval: 'none',
} as const;

function run(argument: string) {
  const state = initialApp({session: start, theme: 'dark'});
  return exportCommand.run({state, tab: createTab(start), argument, at: 0}) ?? nothing;
}

test.each([
  ['', {format: undefined, file: undefined, withSecrets: false}],
  ['html', {format: 'html', file: undefined, withSecrets: false}],
  ['md notes/a b.txt', {format: 'markdown', file: 'notes/a b.txt', withSecrets: false}],
  ['"with blanks.html"', {format: undefined, file: 'with blanks.html', withSecrets: false}],
  ['recording wire.ndjson', {format: 'recording', file: 'wire.ndjson', withSecrets: false}],
  ['json --with-secrets out.json', {format: 'json', file: 'out.json', withSecrets: true}],
])('/export %s requests that export', (argument, asked) => {
  expect(run(argument).effects).toEqual([{kind: 'export_session', key: 'one', ...asked}]);
});

test('an unknown option is not taken for a file', () => {
  const {events, effects} = run('html --secrets');
  expect(effects).toEqual([]);
  expect(events).toMatchObject([
    {type: 'toast_shown', text: 'Unknown option --secrets. /export accepts --with-secrets.'},
  ]);
});
