import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {PAGES, renderPage} from '../../scripts/reference.ts';
import {commands} from '../../src/app/commands/index.ts';
import {ANSI_NAMES, INKS, SURFACES, THEME_NAMES} from '../../src/app/themes/themes.ts';
import {completionSpec} from '../../src/modes/commands/completion/completion-spec.ts';
import {settingsIn} from '../../src/settings/settings.ts';
import {clientCapabilities} from '../../src/protocol/capabilities.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readPage = (name: string) => readFileSync(join(root, 'docs/internals', name), 'utf8');

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

  test('have a test of each version for each row of their table by version', () => {
    const [, table = ''] = readPage('protocol.md').split('## By version');
    const [section = ''] = table.split(/^## /m);
    const [, ...named] = [...section.matchAll(/^\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)].slice(1);
    expect(named.length).toBeGreaterThan(10);
    const tested = readPage('conformance.md');
    const untested = named.flatMap(([, row = '', ...versions]) =>
      versions
        .map((text, index) => ({text, requirement: `| ${row}: version ${index + 1} `}))
        .filter(({text, requirement}) => text !== '—' && !tested.includes(requirement)),
    );
    expect(untested).toEqual([]);
  });

  test('shows the capabilities that are sent', () => {
    const [, json = ''] = /```json\n([^]*?)\n```/.exec(readPage('protocol.md')) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      clientCapabilities: clientCapabilities({fs: true, terminal: true}),
    });
  });
});

function isTest(name: string): boolean {
  const path = join(root, 'test', name);
  if (existsSync(`${path}.test.ts`) || existsSync(`${path}.test.tsx`)) return true;
  return existsSync(path) && readdirSync(path).some((file) => /\.test\.tsx?$/.test(file));
}

/** What a page claims in one of its sections, by its opening words, and the tests of that. */
interface Proof {
  readonly page: string;
  readonly section: string;
  readonly claim: string;
  readonly tests: readonly string[];
}

/** The rows of docs/internals/proofs.md: each belongs to the link in the heading above its table. */
function proofsIn(text: string): readonly Proof[] {
  return text.split(/^(?=###? )/m).flatMap((part) => {
    const [, target = '', section = ''] = /^### \[.+\]\(([^)#]+)#?(.*)\)$/m.exec(part) ?? [];
    const rows = [...part.matchAll(/^\| (?!claim |-+ \|)(.+?) +\| (`.+`) +\|$/gm)];
    return rows.map(([, claim = '', tests = '']) => ({
      page: join('docs/internals', target),
      section,
      claim: plain(claim).replace(/ …$/, ''),
      tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    }));
  });
}

/** A text without its links, emphasis and line breaks. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|`|\\/g, '')
    .replaceAll(/\s+/g, ' ');
}

/** The sections of a page by the anchors of their headings; '' is what stands before the first one below the title. */
function sections(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(/^(?=##+ )/m).map((part) => [part.startsWith('##') ? (headings(part)[0] ?? '') : '', part]),
  );
}

/** List items, except those under "What is not promised". */
function promises(text: string): readonly string[] {
  return [...sections(text)]
    .filter(([section]) => section !== 'what-is-not-promised')
    .flatMap(([, part]) => part.match(/^- [^]*?(?=\n(?:- |\n)|$(?![^]))/gm) ?? []);
}

/** The promises of a page that no proof claims. */
function unproven(text: string, proofs: readonly Proof[]): readonly string[] {
  return promises(text).filter((promise) => !proofs.some(({claim}) => plain(promise).includes(claim)));
}

/** The proofs whose claim is not in its section of the page. */
function misplaced(text: string, proofs: readonly Proof[]): readonly Proof[] {
  return proofs.filter(({section, claim}) => !plain(sections(text).get(section) ?? '').includes(claim));
}

describe('docs/internals/proofs.md', () => {
  const proofs = proofsIn(text('docs/internals/proofs.md'));
  const byPage = Map.groupBy(proofs, ({page}) => page);

  test('names existing tests', () => {
    expect(proofs.length).toBeGreaterThan(250);
    expect(proofs.flatMap(({tests}) => tests).filter((name) => !isTest(name))).toEqual([]);
  });

  test.each([...byPage.keys()])('claims what %s says', (page) => {
    expect(misplaced(text(page), byPage.get(page) ?? [])).toEqual([]);
  });

  test.each([
    ['docs/security.md', 50],
    ['docs/permissions.md', 50],
    ['docs/internals/reliability.md', 15],
  ])('has a row for each promise of %s', (page, least) => {
    expect(promises(text(page)).length).toBeGreaterThan(least);
    expect(unproven(text(page), byPage.get(page) ?? [])).toEqual([]);
  });
});

test('a promise without a proof, and a proof without a promise or a test, are found', () => {
  const page = '# Page\n\nLeft.\n\n## Files\n\n- **Held** with `code`\n  and more.\n- Bare.\n\nLeft.';
  const [held, moved, ...more] = proofsIn(
    `### [Files](../page.md#files)

| claim            | tests                                        |
| ---------------- | -------------------------------------------- |
| Held with code … | \`unit/documentation\`, \`contract/nowhere\` |

### [Page](../page.md)

| claim | tests       |
| ----- | ----------- |
| Held  | \`contract\` |`,
  );
  expect(more).toEqual([]);
  expect(held).toEqual({
    page: 'docs/page.md',
    section: 'files',
    claim: 'Held with code',
    tests: ['unit/documentation', 'contract/nowhere'],
  });
  expect(held?.tests.filter(isTest)).toEqual(['unit/documentation']);
  expect(unproven(page, [held!])).toEqual(['- Bare.']);
  expect(misplaced(page, [held!, moved!])).toEqual([moved]);
});

const pagesIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const userPages = pagesIn('docs');
const pages = [...userPages, ...pagesIn('docs/internals')];

test.each(userPages)('%s leaves the names of tests to the proofs', (page) => {
  expect(text(page).match(/`(?:unit|contract|screen|pty)\/.+?`/g) ?? []).toEqual([]);
});

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages])(
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

test('docs/screen.md names every theme and color, and its example works', () => {
  const page = text('docs/screen.md');
  const names = [...THEME_NAMES, ...INKS, ...SURFACES, ...ANSI_NAMES];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  const [, example = ''] = /```json\n(\{\n {2}"themes"[^]*?)```/.exec(page) ?? [];
  const {settings, problems} = settingsIn(JSON.parse(example) as object, '');
  expect(problems).toEqual([]);
  expect(settings.theme).toBe('evening');
});

test('every picture is used on a page', () => {
  const names = readdirSync(join(root, 'docs/pictures'));
  const written = ['README.md', ...pages].map(text).join('\n');
  expect(names.filter((name) => !written.includes(`pictures/${name})`))).toEqual([]);
});

const sourceFilesIn = (part: string) =>
  new Set([...part.matchAll(/`((?:[\w-]+\/)+[\w-]+\.tsx?)`/g)].map(([, file = '']) => file));

test.each(['ARCHITECTURE.md', 'docs/internals/developing.md'])('%s names existing files', (page) => {
  const missing = [...sourceFilesIn(text(page))].filter(
    (file) => !existsSync(join(root, 'src', file)) && !existsSync(join(root, file)),
  );
  expect(missing).toEqual([]);
});

test('docs/internals/developing.md counts the files of its walks', () => {
  const page = text('docs/internals/developing.md');
  const [, ...walks] = page.split(/^\*\*/m);
  const table = page.slice(page.indexOf('| walk '));
  const counts = [...table.matchAll(/^\| .+ \| (\d+) +\|$/gm)].map(([, count]) => Number(count));
  const named = walks.map((walk) => sourceFilesIn(walk.split('\n| walk')[0] ?? '').size);
  expect(counts).toEqual(named);
});

describe('ARCHITECTURE.md', () => {
  const page = text('ARCHITECTURE.md');
  const [, picture = ''] = /## The floors[^]*?```\n([^]*?)```/.exec(page) ?? [];
  const floors = picture.split('\n').flatMap((line) => (line.split(/ {2,}/)[0] ?? '').split(' · '));
  const folders = readdirSync(join(root, 'src'), {withFileTypes: true}).filter((entry) =>
    entry.isDirectory(),
  );

  test('draws and describes every folder', () => {
    const names = new Set([...folders.map(({name}) => name), 'components']);
    const described = [...page.matchAll(/^\| `([\w-]+)` +\|/gm)].map(([, name]) => name);
    expect(new Set(floors.filter(Boolean))).toEqual(names);
    expect(new Set(described)).toEqual(names);
  });

  test.each(folders.map(({name}) => name))('draws %s above what it imports', (folder) => {
    const files = readdirSync(join(root, 'src', folder), {recursive: true, encoding: 'utf8'});
    const imported = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [...readFileSync(join(root, 'src', folder, file), 'utf8').matchAll(/'((?:\.\.\/)+[\w-]+)\//g)].map(
          ([, path = '']) => join(folder, dirname(file), path),
        ),
      )
      .filter((path) => floors.includes(path) && path !== folder);
    const above = imported.filter((path) => floors.indexOf(path) < floors.indexOf(folder));
    expect([...new Set(above)]).toEqual([]);
  });
});

test.each(PAGES)('the tables of %s match the program: npm run reference', async (page) => {
  expect(text(page)).toBe(await renderPage(page));
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
  expect(userPages.filter((page) => !readme.includes(`(${page})`))).toEqual([]);
});

test('the list of internals links to every page beside it', () => {
  const list = text('docs/internals/README.md');
  const others = pagesIn('docs/internals').map((page) => basename(page));
  expect(others.filter((name) => name !== 'README.md' && !list.includes(`(${name})`))).toEqual([]);
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
