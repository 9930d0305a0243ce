import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

/** What ends the wait for each program that is started: its own time limit, with a signal that no program can ignore, or something else. */
const ENDS: Readonly<Record<string, 'limit' | {readonly by: string}>> = {
  'src/agents/foreground.ts': {by: 'the user, who has its terminal; stty has a limit'},
  'src/agents/install/install.ts': {
    by: 'the user, who sees its progress; npm gives up by itself on a server that is silent',
  },
  'src/agents/launch.ts': {by: 'the limit of `initialize`, startSeconds, and Esc'},
  'src/attachments/clipboards/clipboard-tool.ts': 'limit',
  'src/modes/commands/help/help-run.ts': {by: 'the user, who reads the page in the pager'},
  'src/modes/window/external-editor.ts': {by: 'the user, who has its terminal'},
  'src/demo/own-tools.ts': {by: 'Esc, which cancels the turn: it is a command of the agent'},
  'src/git/git.ts': 'limit',
  'src/host/files/write-file.ts': 'limit',
  'src/host/shell/user-program.ts': {by: 'limitMs, with everything that it has started'},
  'src/host/terminals/command-process.ts': {by: 'the user and the agent: it is a command of theirs'},
  'src/sandbox/bubblewrap.ts': {by: 'START_MS'},
  'src/sandbox/mount-namespace.ts': {by: 'MADE_MS'},
  'src/sandbox/set-up.ts': 'limit',
  'src/service/service-client.ts': {by: 'START_MS: only its socket is waited for'},
  'src/storage/credentials/keyring.ts': 'limit',
  'src/window/desktop.ts': 'limit',
};

/** Not only for its types. */
const STARTS = /(?:^import (?!type\b)[^;]*? from |\bimport\()'(?:node:child_process|execa)'/m;

const sources = globSync(['src/**/*.ts', 'components/**/*.{ts,tsx}']).map((file) => ({
  file: file.replaceAll('\\', '/'),
  text: readFileSync(file, 'utf8'),
}));

test('every program that is started is listed here, with what ends the wait for it', () => {
  const starting = sources.filter(({text}) => STARTS.test(text));
  expect(starting.map(({file}) => file).toSorted()).toEqual(Object.keys(ENDS).toSorted());
});

test('a time limit of a program ends also one that ignores it', () => {
  const limited = sources.filter(({file}) => ENDS[file] === 'limit');
  expect(
    limited.filter(({text}) => !/\btimeout: /.test(text) || !/killSignal: 'SIGKILL'/.test(text)),
  ).toEqual([]);
  const ignorable = sources.filter(
    ({file, text}) => file in ENDS && /\btimeout: /.test(text) && !/killSignal: 'SIGKILL'/.test(text),
  );
  expect(ignorable.map(({file}) => file)).toEqual([]);
});
