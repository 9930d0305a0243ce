import {execFile} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Forbidden imports, each with the rule that must report it: a check without files would report none. */
const forbidden = [
  ['src/session/a.ts', "import '../protocol/target.ts';", 'pure-layers-have-no-effects'],
  ['src/export/t.ts', "import '../protocol/target.ts';", 'pure-layers-have-no-effects'],
  ['src/recording/u.ts', "import '../protocol/target.ts';", 'pure-layers-have-no-effects'],
  ['src/recording/v.ts', "import 'node:fs';", 'pure-layers-use-no-node'],
  ['src/text/b.ts', "import 'node:fs';", 'pure-layers-use-no-node'],
  [
    'src/app/c.ts',
    "import {agent} from '@agentclientprotocol/sdk';\nagent();",
    'pure-layers-take-only-types-of-the-sdk',
  ],
  ['src/text/d.ts', "import '../session/target.ts';", 'text-depends-on-nothing'],
  ['src/app/w.ts', "import {marked} from 'marked';\nmarked('');", 'texts-are-parsed-in-a-thread'],
  ['src/session/e.ts', "import '../app/target.ts';", 'session-knows-no-window'],
  ['src/window/k.ts', "import '../app/handlers/target.ts';", 'key-handlers-are-reached-through-their-index'],
  ['src/protocol/f.ts', "import '../host/target.ts';", 'protocol-knows-no-host'],
  ['src/host/g.ts', "import '../protocol/target.ts';", 'host-knows-no-protocol'],
  ['src/window/h.ts', "import '../conversation/target.ts';", 'windows-reach-sessions-through-actions-only'],
  ['src/conversation/p.ts', "import type {T} from '../window/target.ts';", 'sessions-know-no-window'],
  ['src/host/p.ts', "import type {T} from '../app/target.ts';", 'sessions-know-no-window'],
  ['src/agents/h.ts', "import '../conversation/target.ts';", 'only-conversation-and-modes-join-layers'],
  ['components/i.tsx', "import '../src/host/target.ts';", 'components-reach-effects-through-actions-only'],
  ['components/j.tsx', "import 'node:process';", 'components-use-no-node'],
  ['src/modes/print/k.ts', "import 'ink';", 'src-never-loads-the-screen'],
  ['src/main.ts', "import '../components/target.tsx';", 'main-loads-the-screen-lazily'],
  ['src/demo/l.ts', "import '../text/target.ts';", 'demo-is-no-part-of-the-client'],
  ['src/shared/x.ts', "import '../session/target.ts';", 'shared-uses-no-layer'],
  ['src/shared/y.ts', "import type {T} from '../session/target.ts';", 'shared-uses-no-layer'],
  ['src/storage/x.ts', "import type {T} from '../agents/target.ts';", 'storage-knows-no-agents'],
  ['src/snapshots/x.ts', "import '../host/target.ts';", 'snapshots-ask-no-host'],
  ['src/cli/x.ts', "import '../modes/target.ts';", 'only-main-runs-a-mode'],
  [
    'src/modes/commands/serve/serve-arguments.ts',
    "import '../../../host/target.ts';",
    'arguments-are-read-without-effects',
  ],
  ['src/modes/start/x.ts', "import '../commands/serve/serve-run.ts';", 'modes-run-no-subcommand'],
  ['src/conversation/m.ts', "import './m2.ts';", 'no-cycles'],
  ['src/conversation/n.ts', "import './missing.ts';", 'not-to-unresolvable'],
  ['src/conversation/o.ts', 'export const alone = 1;', 'no-orphans'],
] as const;

/** Allowed imports, so that the rules do not simply forbid everything. */
const allowed = [
  ['src/session/p.ts', "import type {Stream} from '@agentclientprotocol/sdk';\nexport type S = Stream;"],
  ['src/conversation/q.ts', "import '../protocol/target.ts';"],
  ['components/r.tsx', "import '../src/session/target.ts';"],
  ['src/modes/commands/serve/serve-run.ts', "import '../../target.ts';"],
  ['src/snapshots/z.ts', "import '../host/files/folder.ts';"],
  ['src/window/sessions/window-sessions.ts', "import '../../conversation/target.ts';"],
  ['src/window/z.ts', "import type {T} from '../conversation/target.ts';"],
  ['src/app/s.ts', "import '../session/target.ts';\nimport '../text/target.ts';"],
] as const;

const layers = [
  'session',
  'app',
  'app/handlers',
  'text',
  'protocol',
  'host',
  'agents',
  'conversation',
  'window',
  'demo',
  'modes',
];

describe('the check of layers', () => {
  let folder = '';
  let report = '';

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'acp-tui-layers-'));
    for (const file of ['.dependency-cruiser.js', 'package.json']) {
      cpSync(path.join(root, file), path.join(folder, file));
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    for (const layer of layers) plant(folder, `src/${layer}/target.ts`, 'export {};');
    plant(folder, 'components/target.tsx', 'export {};');
    plant(folder, 'src/host/files/folder.ts', 'export {};');
    plant(folder, 'src/conversation/m2.ts', "import './m.ts';");
    for (const [file, content] of [...forbidden, ...allowed]) plant(folder, file, content);
    report = await cruise(folder);
  });

  afterAll(() => rmSync(folder, {recursive: true, force: true}));

  test.each(forbidden)('finds %s with %j by %s', (file, _content, rule) => {
    expect(report.split('\n')).toContainEqual(expect.stringContaining(`error ${rule}: ${file}`));
  });

  test.each(allowed)('accepts %s with %j', (file) => {
    expect(report).not.toContain(`: ${file}`);
  });
});

describe('the check of shape', () => {
  const many = Array.from(
    {length: 16},
    (_, index) => [`src/conversation/many/m${index}.ts`, 'export {};'] as const,
  );
  const long = 'export {};\n'.repeat(401);

  test.each([
    ['loose-file: src/loose.ts', [['src/loose.ts', 'export {};']]],
    ['large-folder: src/conversation/many', many],
    [
      'large-folder: test/unit/many',
      many.map(([file, text]) => [file.replace('src/conversation', 'test/unit'), text]),
    ],
    [
      'large-folder: fixtures/many',
      many.map(([file, text]) => [file.replace('src/conversation', 'fixtures'), text]),
    ],
    ['long-file: components/long.tsx', [['components/long.tsx', long]]],
    [
      'shared-name: src/host/b/same.ts',
      [
        ['src/host/a/same.ts', 'export {};'],
        ['src/host/b/same.ts', 'export {};'],
      ],
    ],
    ['unused-export: src/host/alone.ts exports alone', [['src/host/alone.ts', 'export const alone = 1;']]],
    [
      'unused-export: src/host/tested.ts exports tested',
      [
        ['src/host/tested.ts', 'export const tested = 1;'],
        ['test/unit/tested.test.ts', "import {tested} from '../../src/host/tested.ts';"],
      ],
    ],
    [
      'other-lines: src/host/lines.ts',
      [['src/host/lines.ts', "import {createInterface} from 'node:readline';"]],
    ],
    [
      'other-lines: src/host/lines.ts',
      [['src/host/lines.ts', 'for await (const line of handle.readLines());']],
    ],
    ['other-lines: src/host/lines.ts', [['src/host/lines.ts', String.raw`'a'.replace(/^b$/gm, '');`]]],
    ['other-realpath: src/host/real.ts', [['src/host/real.ts', "realpathSync('/a');"]]],
    ['other-realpath: src/host/real.ts', [['src/host/real.ts', 'paths.map(realpathSync);']]],
    ['list-as-arguments: src/host/many.ts', [['src/host/many.ts', 'list.push(...others);']]],
    ['list-as-arguments: src/host/many.ts', [['src/host/many.ts', 'Math.max(0, size(a), ...sizes);']]],
    ['list-as-arguments: src/host/many.ts', [['src/host/many.ts', 'list.push(\n  {a},\n  ...others);']]],
    ['run-at-end: src/host/blanks.ts', [['src/host/blanks.ts', String.raw`'a'.replace(/[ \]]+$/, '');`]]],
    ['run-at-end: src/host/blanks.ts', [['src/host/blanks.ts', String.raw`'a'.replace(/^\n+|\s+$/g, '');`]]],
    ['circle: 2 files', circle(2)],
    [
      'circle: 2 folders import each other: src/conversation src/host',
      [
        ['src/conversation/up.ts', "import type {T} from '../host/low.ts';\nexport type Up = T;"],
        ['src/host/low.ts', 'export type T = 1;'],
        ['src/host/high.ts', "import type {T} from '../conversation/deep.ts';\nexport type High = T;"],
        ['src/conversation/deep.ts', 'export type T = 1;'],
      ],
    ],
    ['other-tier: test/unit/far.ts', [['test/unit/far.ts', "import '../screen/near.ts';"]]],
    ['other-tier: test/support/far.ts', [['test/support/far.ts', "import '../unit/near.ts';"]]],
  ] as const)('finds %s', async (problem, planted) => {
    const report = await shapeOf(planted);
    expect(report).toContain(`error ${problem}`);
  });

  test('accepts what fits', async () => {
    expect(await shapeOf([...many.slice(1), ['src/mcp/index.ts', 'export {};']])).toBe('');
  });

  /** Files that import each other's types, in a cycle. */
  function circle(size: number): readonly (readonly [string, string])[] {
    return Array.from({length: size}, (_, index) => [
      `src/session/${index % 10}/c${index}.ts`,
      `import type {T} from '../${((index + 1) % size) % 10}/c${(index + 1) % size}.ts';`,
    ]);
  }

  /** The check's report on a folder with these files. */
  async function shapeOf(planted: readonly (readonly string[])[]): Promise<string> {
    const folder = mkdtempSync(path.join(tmpdir(), 'acp-tui-shape-'));
    const first = [
      'src/main.ts',
      'components/app.tsx',
      'test/seed.ts',
      'fixtures/a.ts',
      'bench/a.ts',
      'scripts/a.ts',
    ];
    for (const file of first) plant(folder, file, 'export {};');
    for (const [file = '', content = ''] of planted) plant(folder, file, content);
    const report = await new Promise<string>((resolve) => {
      execFile(process.execPath, [path.join(root, 'scripts/shape.ts'), folder], (_, stdout) =>
        resolve(stdout),
      );
    });
    rmSync(folder, {recursive: true, force: true});
    return report;
  }
});

function plant(folder: string, file: string, content: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), {recursive: true});
  writeFileSync(path.join(folder, file), `${content}\n`);
}

/** The check's report on a folder; it must fail there. */
function cruise(folder: string): Promise<string> {
  const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [program, '--config', '.dependency-cruiser.js', '--output-type', 'err', 'src', 'components'];
  return new Promise((resolve, reject) => {
    const env = {...process.env, FORCE_COLOR: '0'};
    execFile(process.execPath, args, {cwd: folder, env, encoding: 'utf8'}, (error, stdout) => {
      if (error) resolve(stdout);
      else reject(new Error(`the gate let everything through:\n${stdout}`));
    });
  });
}
