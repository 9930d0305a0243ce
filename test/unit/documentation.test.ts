import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {PAGES, written} from '../../scripts/reference.ts';
import {commands} from '../../src/app/commands/index.ts';
import {ANSI_NAMES, INKS, SURFACES, THEME_NAMES} from '../../src/app/themes/themes.ts';
import {completionSpec} from '../../src/modes/commands/completion/completion-spec.ts';
import {settingsIn} from '../../src/settings/settings.ts';
import {clientCapabilities} from '../../src/protocol/capabilities.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readPage = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');

describe('the pages of the protocol', () => {
  const rows = [
    ...readPage('conformance.md').matchAll(/^\|[^|]+\| `(\S+\.test\.tsx?)`: ([^|]+?) +\|$/gm),
  ].map(([, file = '', name = '']) => [file, name] as const);

  test('names existing tests', () => {
    expect(rows.length).toBeGreaterThan(50);
    const missing = rows.filter(
      ([file, name]) => !readFileSync(join(root, 'test', file), 'utf8').includes(name),
    );
    expect(missing).toEqual([]);
  });

  test('shows the capabilities that are sent', () => {
    const [, json = ''] = /```json\n([^]*?)\n```/.exec(readPage('protocol.md')) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      clientCapabilities: clientCapabilities({fs: true, terminal: true}),
    });
  });
});

/** The tests that a text names in parentheses: paths under test/, of a file without its extension or of a folder. */
function namedTests(text: string): readonly string[] {
  const groups = [...text.matchAll(/\(((?:`[\w./-]+`(?:,\s+)?)+)\)/g)];
  return groups.flatMap(([, group = '']) =>
    [...group.matchAll(/`((?:unit|contract|screen|pty|live)\/[^`]+)`/g)].map(([, name = '']) => name),
  );
}

function isTest(name: string): boolean {
  const path = join(root, 'test', name);
  if (existsSync(`${path}.test.ts`) || existsSync(`${path}.test.tsx`)) return true;
  return existsSync(path) && readdirSync(path).some((file) => /\.test\.tsx?$/.test(file));
}

/** List items, except those under "What is not promised". */
function promises(text: string): readonly string[] {
  const sections = text
    .split(/^(?=##+ )/m)
    .filter((section) => !section.startsWith('## What is not promised'));
  return sections.flatMap((section) => section.match(/^- [^]*?(?=\n(?:- |\n)|$(?![^]))/gm) ?? []);
}

describe.each([
  ['security.md', 50],
  ['permissions.md', 50],
  ['reliability.md', 15],
])('docs/%s', (name, least) => {
  const text = readPage(name);

  test('names existing tests', () => {
    expect(namedTests(text).filter((each) => !isTest(each))).toEqual([]);
  });

  test('names a test for each promise', () => {
    expect(promises(text).length).toBeGreaterThan(least);
    expect(promises(text).filter((promise) => namedTests(promise).length === 0)).toEqual([]);
  });
});

test('a promise without a test, or with a missing one, is found', () => {
  const [held = '', bare = '', ...more] = promises(
    '## Files\n\n- Held. (`unit/documentation`,\n  `contract/nowhere`)\n- Bare, with `code`.\n\nLeft.',
  );
  expect(more).toEqual([]);
  expect(namedTests(held)).toEqual(['unit/documentation', 'contract/nowhere']);
  expect(namedTests(held).filter(isTest)).toEqual(['unit/documentation']);
  expect(namedTests(bare)).toEqual([]);
});

const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...pages])(
  'the links of %s lead to existing files and headings',
  (page) => {
    const targets = [...text(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target = '']) => target);
    const missing = targets.filter((target) => {
      const [path = '', heading] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, file))) return true;
      return heading !== undefined && !headings(text(file)).includes(heading);
    });
    expect(missing).toEqual([]);
  },
);

test('docs/themes.md names every theme and color, and its example works', () => {
  const page = text('docs/themes.md');
  const names = [...THEME_NAMES, ...INKS, ...SURFACES, ...ANSI_NAMES];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  const [, example = ''] = /```json\n([^]*?)```/.exec(page) ?? [];
  const {settings, problems} = settingsIn(JSON.parse(example) as object, '');
  expect(problems).toEqual([]);
  expect(settings.theme).toBe('evening');
});

test('every picture is used on a page', () => {
  const names = readdirSync(join(root, 'docs/pictures'));
  const written = ['README.md', ...pages].map(text).join('\n');
  expect(names.filter((name) => !written.includes(`pictures/${name})`))).toEqual([]);
});

describe('ARCHITECTURE.md', () => {
  const page = text('ARCHITECTURE.md');
  const filesIn = (part: string) =>
    new Set([...part.matchAll(/`((?:[\w-]+\/)+[\w-]+\.tsx?)`/g)].map(([, file = '']) => file));

  test('names existing files', () => {
    const missing = [...filesIn(page)].filter(
      (file) => !existsSync(join(root, 'src', file)) && !existsSync(join(root, file)),
    );
    expect(missing).toEqual([]);
  });

  test('counts the files of its walks', () => {
    const [, ...walks] = page.split(/^\*\*/m);
    const table = page.slice(page.indexOf('| walk '));
    const counts = [...table.matchAll(/^\| .+ \| (\d+) +\|$/gm)].map(([, count]) => Number(count));
    const named = walks.map((walk) => filesIn(walk.split('\n| walk')[0] ?? '').size);
    expect(counts).toEqual(named);
  });
});

test.each(PAGES)('the tables of %s match the program: npm run reference', async (page) => {
  expect(text(page)).toBe(await written(page));
});

/** What looks like a command and is none: a placeholder, the demo agent's command, the example of a custom one, and the path of served agents. */
const NO_COMMANDS = ['name', 'tour', 'tests', 'acp'];

test.each(['README.md', ...pages])('the commands that %s names exist', (page) => {
  const known = new Set([
    ...commands.flatMap(({name, aliases = []}) => aliases.concat(name)),
    ...NO_COMMANDS,
  ]);
  const named = [...text(page).matchAll(/`\/([a-z][a-z-]*)(?=[` ])/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('docs/command-line.md begins with every subcommand', () => {
  const [, overview = ''] = /```\n([^]*?)```/.exec(text('docs/command-line.md')) ?? [];
  const listed = new Set([...overview.matchAll(/^acp-tui (\w+)/gm)].map(([, name = '']) => name));
  const [main] = completionSpec();
  const missing = (main?.subcommands ?? []).filter(({name}) => !listed.has(name));
  expect(missing.map(({name}) => name)).toEqual([]);
});

test('the README is short and links to every page', () => {
  const readme = text('README.md');
  expect(Buffer.byteLength(readme)).toBeLessThan(8 * 1024);
  expect(pages.filter((page) => !readme.includes(`(${page})`))).toEqual([]);
});

function text(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** The anchors that GitHub generates for headings. */
function headings(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}
