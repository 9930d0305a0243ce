import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {BY, expectedOf, WAYS, type Cause, type Way} from './agents.ts';
import {PROGRAMS} from './programs.ts';

const page = readFileSync(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8');

/** The rows of the table whose first cell this is, without the spaces that align them. */
function tableOf(first: string): readonly string[] {
  const lines = page.split('\n').map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .join('|'),
  );
  const start = lines.findIndex((line) => line.startsWith(`|${first}|`));
  const [header = '', , ...rows] = lines.slice(start, lines.indexOf('', start));
  return [header, ...rows];
}

const row = (...cells: readonly string[]) => `|${cells.join('|')}|`;

test('docs/sandbox.md says of each way to start an agent what its test has seen', () => {
  const causes = (Object.keys(BY) as Cause[]).filter((cause) => cause !== 'nothing');
  const words = {inside: 'inside', outside: 'outside', 'not started': 'refused'} as const;
  const cell = (way: Way, cause: Cause) => {
    const where = expectedOf(way, cause);
    return where === undefined ? '–' : words[where];
  };
  const ways = Object.values(WAYS).flatMap((group) => Object.entries<Way>(group));
  expect(tableOf('an agent started by')).toEqual([
    row('an agent started by', ...causes),
    ...ways.map(([name, way]) => row(name, ...causes.map((cause) => cell(way, cause)))),
  ]);
});

test('docs/sandbox.md says of every other program what its test has seen', () => {
  expect(tableOf('also started')).toEqual([
    row('also started', 'in a confined session'),
    ...Object.entries(PROGRAMS).map(([name, program]) =>
      row(name, 'why' in program ? `outside: ${program.why}` : program.where),
    ),
  ]);
});
