import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {allRows} from '../../../components/layout/lazy-rows.ts';
import {rowsOfRequest, rowsOfWholeRequest} from '../../../components/requests/permission-request.ts';
import type {ToolCallEntry} from '../../../src/session/entries.ts';
import {shownPath} from '../../../src/text/format.ts';
import {byId, call, terminal} from '../calls.ts';
import {plainTheme} from '../../support/screen/theme.ts';

const CWD = '/work';
const PATHS = [
  '/home/u/.bashrc',
  '/home/u/.bashrc.example',
  '/etc/hosts',
  '/home/u/project/etc/hosts',
  '/work/etc/hosts',
  '/work/deploy.sh',
  '/work/deploy.sh.example',
  'deploy.sh',
];
const COMMANDS = ['rm -rf /home/u/old', 'rm -rf /home/u/old-backups', 'npm test', 'npm test --dry-run'];

/** Returns the lines of a request, in the panel and as a whole, without the bar. */
function linesOf(changes: Partial<ToolCallEntry>): readonly (readonly string[])[] {
  const entry = call({status: 'pending', ...changes});
  const request = {kind: 'permission', id: 'p', toolCallId: 'a', call: entry, changes: 0} as const;
  const asked = {...request, options: [], askedAt: 0};
  const theme = plainTheme({
    columns: 200,
    cwd: CWD,
    terminals: byId(...COMMANDS.map((command) => terminal({id: command, command}))),
  });
  return [rowsOfRequest, rowsOfWholeRequest].map((rowsOf) =>
    allRows(rowsOf(asked, theme, entry)).map((row) => row.replace(/^│ /, '')),
  );
}

const diffOf = (path: string) => ({type: 'diff' as const, path, oldText: null, newText: 'x\n'});

/** True if a path is in a line of its own, perhaps with the size of its change. */
const namesFile = (lines: readonly string[], path: string) => {
  const shown = shownPath(path, CWD);
  return lines.some((line) => line === shown || line.startsWith(`${shown} (`));
};

test.each([
  ['Edit /home/u/.bashrc.example', '/home/u/.bashrc'],
  ['Edit /home/u/project/etc/hosts', '/etc/hosts'],
  ['Edit deploy.sh.example', '/work/deploy.sh'],
  ['Edit deploy.sh', '/work/deploy.sh'],
])('the title %s leaves out no file of a request', (title, path) => {
  const content = [diffOf(path)];
  const asked = {title, kind: 'edit' as const, content, locations: [{path}], rawInput: {file_path: path}};
  for (const lines of linesOf(asked)) expect(namesFile(lines, path)).toBe(true);
});

describe('whatever title a request has', () => {
  const titles = fc
    .array(fc.constantFrom(...PATHS, ...COMMANDS, 'Edit', 'Run', '`', '.', '-'), {maxLength: 4})
    .chain((words) => fc.constantFrom('', ' ').map((between) => words.join(between)));

  test('its file is in a line of its own', () => {
    const places = fc.record({
      title: titles,
      path: fc.constantFrom(...PATHS),
      isChange: fc.boolean(),
      isInput: fc.boolean(),
      kind: fc.constantFrom('edit', 'delete', 'other'),
    });
    fc.assert(
      fc.property(places, ({title, path, isChange, isInput, kind}) => {
        const asked = {
          title,
          kind,
          locations: [{path}],
          ...(isChange && {content: [diffOf(path)]}),
          ...(isInput && {rawInput: {file_path: path, description: title}}),
        };
        for (const lines of linesOf(asked)) expect(namesFile(lines, path)).toBe(true);
      }),
    );
  });

  test('its command is in a line of its own', () => {
    const commands = fc.record({
      title: titles,
      command: fc.constantFrom(...COMMANDS),
      where: fc.constantFrom('input', 'terminal'),
    });
    fc.assert(
      fc.property(commands, ({title, command, where}) => {
        const asked =
          where === 'input'
            ? {rawInput: {command, description: title}}
            : {content: [{type: 'terminal' as const, terminalId: command}]};
        for (const lines of linesOf({title, kind: 'execute', ...asked}))
          expect(lines).toContain(`$ ${command}`);
      }),
    );
  });
});
