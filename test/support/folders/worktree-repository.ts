import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {namesIn} from '../../../src/shared/files/safe-files.ts';
import type {Result} from '../../../src/shared/failure.ts';
import {createWorktree, type WorktreeOptions} from '../../../src/worktrees/create-worktree.ts';
import {readRecord, type WorktreeRecord} from '../../../src/worktrees/worktree-record.ts';
import {git, writeFiles} from './snapshot-folder.ts';
import {temporaryFolder} from './temporary-folder.ts';

/** A repository from which worktrees are made. */
export interface WorktreeRepository {
  readonly scratch: string;
  /** The main working copy: `a.txt`, `b.txt` and `sub/deep.txt`, committed, and `.env`, ignored. */
  readonly source: string;
  readonly state: string;
  readonly root: string;
  readonly git: (...args: readonly string[]) => string;
  readonly write: (files: Readonly<Record<string, string>>) => void;
  readonly read: (name: string) => string | undefined;
  readonly create: (options?: Partial<WorktreeOptions>) => ReturnType<typeof createWorktree>;
  /** Creates one that must be possible. */
  readonly made: (options?: Partial<WorktreeOptions>) => Promise<WorktreeRecord>;
}

let template: string | undefined;

/** Git takes its time, so the repository is made once for all tests of a process. */
function templateFolder(): string {
  if (template !== undefined) return template;
  const folder = mkdtempSync(join(tmpdir(), 'acp-tui-test-'));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  writeFiles(folder, {
    'a.txt': 'a1\na2\na3\n',
    'b.txt': 'b\n',
    'sub/deep.txt': 'deep\n',
    '.gitignore': '.env\nbuild/\n',
  });
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'config', 'user.name', 'Ada');
  git(folder, 'config', 'user.email', 'ada@example.org');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'first');
  writeFiles(folder, {'.env': 'KEY=1\n'});
  template = folder;
  return folder;
}

export function worktreeRepository(): WorktreeRepository {
  const scratch = realpathSync(temporaryFolder());
  const source = join(scratch, 'project');
  cpSync(templateFolder(), source, {recursive: true, verbatimSymlinks: true});
  const [state, root] = [join(scratch, 'state'), join(scratch, 'worktrees')];
  mkdirSync(state);
  const create: WorktreeRepository['create'] = (options = {}) =>
    createWorktree({state, root, cwd: source, name: 'fix', ...options});
  return {
    scratch,
    source,
    state,
    root,
    git: (...args) => git(source, ...args),
    write: (files) => writeFiles(source, files),
    read: (name) => contentIn(source, name),
    create,
    async made(options) {
      const created = await create(options);
      if (!created.ok) throw new Error(JSON.stringify(created.failure));
      return created.value.record;
    },
  };
}

/** A set-up command of a session that is not confined. */
export function setUpBy(command: string): NonNullable<WorktreeOptions['setUp']> {
  const agent = {label: 'demo', command: 'demo', args: [], env: {}};
  return {command, session: {agent, environment: process.env}};
}

/** Returns the worktrees in a folder for them by name, of any repository. */
export function worktreesIn(root: string): Readonly<Record<string, string>> {
  const folders = namesIn(root).flatMap((repository) =>
    namesIn(join(root, repository)).map((name) => [name, join(root, repository, name)] as const),
  );
  return Object.fromEntries(folders);
}

export function contentIn(folder: string, name: string): string | undefined {
  return existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined;
}

/** Returns the record of the worktree `fix` as it is stored now. */
export function storedRecord({state}: Pick<WorktreeRepository, 'state'>): WorktreeRecord {
  const record = readRecord(state, 'fix');
  if (!record) throw new Error('no record is stored');
  return record;
}

/** Returns why something was refused; `done` if it was not. */
export function why(result: Result<unknown>): string {
  if (result.ok) return 'done';
  return result.failure.kind === 'not_offered' ? result.failure.why : JSON.stringify(result.failure);
}
