import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {runAsConfined, type ConfinedSession} from '../host/shell/confined-program.ts';
import {errorMessage, fail, type Failure, type Result} from '../shared/failure.ts';
import {isWithin, realpathOrItself} from '../shared/files/folders.ts';
import {codeOf, makeFolder} from '../shared/files/safe-files.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {ownIdentity} from '../shared/processes/process-identity.ts';
import {textOf, SnapshotProblem, type RawPath} from '../snapshots/repository.ts';
import {readFacts} from '../snapshots/differences.ts';
import {takeSnapshot} from '../snapshots/take/take-snapshot.ts';
import {
  copyFiles,
  copyIgnored,
  copyIndex,
  linkIgnored,
  missingIgnored,
  type CopiedFiles,
} from './copy-files.ts';
import {findSource, gitDirIn, type WorktreeSource} from './find-source.ts';
import {filteredPaths} from './filtered-paths.ts';
import {discard} from './discard-worktree.ts';
import {differentFrom} from './look-at-worktree.ts';
import {git, gitAnswer, WorktreeProblem} from './worktree-git.ts';
import {nameFrom, WORKTREE_NAME} from './worktree-name.ts';
import {
  readRecord,
  reserveName,
  worktreeSnapshots,
  writeRecord,
  type WorktreeRecord,
} from './worktree-record.ts';

export interface WorktreeOptions {
  /** acp-tui's state folder. */
  readonly state: string;
  /** The folder for worktrees, absolute. */
  readonly root: string;
  /** The folder that the session would have, absolute. */
  readonly cwd: string;
  /** As the user named it. */
  readonly name?: string | undefined;
  /** Otherwise its name is made of the first words of this. */
  readonly prompt?: string | undefined;
  /** Ignored files to be copied. */
  readonly copy?: readonly string[] | undefined;
  /** Ignored folders that get links to what is in those of the source. */
  readonly link?: readonly string[] | undefined;
  /** A command to be run in it. */
  readonly setUp?: SetUp | undefined;
  /** Called before each step; throws in tests. */
  readonly onStep?: ((step: string) => void) | undefined;
}

interface SetUp {
  readonly command: string;
  /** The session that gets the worktree. */
  readonly session: Omit<ConfinedSession, 'cwd' | 'additionalDirectories'>;
}

export interface CreatedWorktree {
  readonly record: WorktreeRecord;
  /** The session's folder in it. */
  readonly cwd: string;
  /** What the user should know, in sentences. */
  readonly notices: readonly string[];
  /** What went wrong without being in the way. */
  readonly problems: readonly string[];
}

/** Creates a worktree of the repository that a folder is in, with the files as they are there now. The source is only read. */
export async function createWorktree(options: WorktreeOptions): Promise<Result<CreatedWorktree>> {
  const {state, cwd, onStep = () => {}} = options;
  let record: WorktreeRecord | undefined;
  try {
    if (options.name !== undefined && !WORKTREE_NAME.test(options.name))
      throw new WorktreeProblem(`${JSON.stringify(options.name)} is no name for one`);
    const source = await findSource(cwd);
    const root = realpathOrItself(options.root);
    if (isWithin(root, source.top))
      throw new WorktreeProblem(`the folder for worktrees, ${root}, is inside of the repository`);
    onStep('reserve');
    const name = await freeName(options, source);
    record = writeRecord(state, newRecord(name, {root, source}));
    return {ok: true, value: await fill(record, source, {...options, onStep})};
  } catch (error) {
    // If that fails, what there is of it is listed, and can be removed.
    if (record) await discard(state, record).catch(() => '');
    return refused(error, `create a worktree of ${cwd}`);
  }
}

/** Returns a failure for what is to be shown, also an error of the file system; throws anything else. */
export function refused(error: unknown, cannot: string): {readonly ok: false; readonly failure: Failure} {
  const isShown = error instanceof WorktreeProblem || error instanceof SnapshotProblem;
  if (isShown || codeOf(error) !== undefined)
    return fail({kind: 'not_offered', cannot, why: errorMessage(error)});
  throw error;
}

interface Planned {
  readonly root: string;
  readonly source: WorktreeSource;
}

function newRecord(name: string, {root, source}: Planned): WorktreeRecord {
  const {top, prefix, common, head, branch} = source;
  return {
    name,
    branch: `acp-tui/${name}`,
    folder: join(folderFor(source, root), name),
    prefix,
    source: top,
    ...(branch !== undefined && {sourceBranch: branch}),
    common,
    head,
    createdAt: Date.now(),
    copied: [],
    step: {kind: 'creating'},
    owner: ownIdentity(),
    lock: ownIdentity(),
  };
}

/** Returns the folder for the worktrees of a repository. No other one uses it, although it may have the same name: sessions are resumed in their folders. */
function folderFor({top, common}: WorktreeSource, root: string): string {
  return join(root, `${basename(top)}-${createHash('sha256').update(common).digest('hex').slice(0, 6)}`);
}

/** Reserves the name, or the first that is free with a number; one that the user typed is only numbered if it is another repository's. */
async function freeName(
  {state, name, prompt, root}: WorktreeOptions,
  source: WorktreeSource,
): Promise<string> {
  const {common} = source;
  const wanted = name ?? nameFrom(prompt);
  const branches = await ownBranches(common);
  if (name !== undefined && readRecord(state, name)?.common === common)
    throw new WorktreeProblem(
      `there is a worktree "${name}" already: ${readRecord(state, name)?.folder ?? ''}`,
    );
  if (name !== undefined && branches.has(`acp-tui/${name}`))
    throw new WorktreeProblem(`there is a branch acp-tui/${name} already`);
  for (let number = 1; ; number++) {
    const next = number === 1 ? wanted : `${wanted}-${number}`;
    const isFree = !branches.has(`acp-tui/${next}`) && !existsSync(join(folderFor(source, root), next));
    if (isFree && reserveName(state, next)) return next;
  }
}

async function ownBranches(common: string): Promise<ReadonlySet<string>> {
  const printed = await gitAnswer({folder: common, gitDir: common}, [
    'rev-parse',
    '--symbolic',
    '--glob=refs/heads/acp-tui/*',
  ]);
  return new Set((printed ?? '').split('\n').map((line) => line.replace(/^refs\/heads\//, '')));
}

interface Filling extends WorktreeOptions {
  readonly onStep: (step: string) => void;
}

async function fill(
  planned: WorktreeRecord,
  source: WorktreeSource,
  {state, copy = [], link = [], setUp, onStep}: Filling,
): Promise<CreatedWorktree> {
  const {folder, branch, head, prefix} = planned;
  makeFolder(dirname(folder));
  onStep('add');
  const reason = `acp-tui: a session of process ${process.pid}`;
  await git({folder: source.top}, [
    'worktree',
    'add',
    '--quiet',
    '--no-checkout',
    '--no-track',
    '--lock',
    '--reason',
    reason,
    '-b',
    branch,
    folder,
    head,
  ]);
  onStep('files');
  const copied = await copyFiles(source.top, folder);
  onStep('index');
  await copyIndex(source, gitDirIn(folder));
  const places = {from: source.top, to: folder};
  const copiedIgnored = await missingIgnored(places, copy);
  const ignored = [...copiedIgnored, ...(await linkIgnored(places, link, copiedIgnored))];
  await copyIgnored(places, copiedIgnored);
  onStep('snapshot');
  const repository = await worktreeSnapshots(state, planned);
  const base = await takeSnapshot(repository);
  const changed = await changedFiles(planned, {base, copied, repository});
  onStep('set up');
  const problems = setUp ? await runSetUp(setUp, folder) : [];
  onStep('ready');
  const record = writeRecord(state, planned, {base, copied: ignored, step: {kind: 'ready'}});
  const cwd = prefix === '' ? folder : join(folder, prefix);
  makeFolder(cwd);
  return {
    record,
    cwd,
    notices: noticesOf(record, {copied, changed}),
    problems: [...submoduleProblems(copied), ...problems],
  };
}

interface Changed {
  readonly base: string;
  readonly copied: CopiedFiles;
  readonly repository: Awaited<ReturnType<typeof worktreeSnapshots>>;
}

/** Returns the files with uncommitted changes that came along. */
async function changedFiles(
  {head, source}: WorktreeRecord,
  {base, copied, repository}: Changed,
): Promise<readonly RawPath[]> {
  const different = await differentFrom(repository, {commit: head, tree: `${base}:files`});
  const {uncovered} = await readFacts(repository, base);
  const {filled, empty} = copied.submodules;
  const links = [...filled, ...empty];
  const tracked = different
    .filter((path) => !copied.skipped.has(path) && uncovered[path] === undefined)
    .filter((path) => !links.some((link) => path === link || path.startsWith(`${link}/`)));
  const filtered = await filteredPaths(source, tracked);
  return [...new Set([...tracked.filter((path) => !filtered.has(path)), ...copied.untracked])].sort();
}

const NAMED = 5;

/** Names the first of some files. */
export function namedFiles(paths: readonly RawPath[]): string {
  const named = paths.slice(0, NAMED).map(textOf).join(', ');
  return paths.length > NAMED ? `${named} and ${paths.length - NAMED} more` : named;
}

interface Came {
  readonly copied: CopiedFiles;
  readonly changed: readonly RawPath[];
}

function noticesOf(
  {name, folder, branch, source}: WorktreeRecord,
  {copied, changed}: Came,
): readonly string[] {
  const {filled} = copied.submodules;
  const came =
    changed.length === 0
      ? ''
      : ` Uncommitted changes were copied, and stay in ${source}: ${namedFiles(changed)}.`;
  const modules =
    filled.length === 0 ? '' : ` Submodules have their files, without their history: ${namedFiles(filled)}.`;
  return [
    `This session works in the worktree ${name}: ${folder}, on branch ${branch}.${came}${modules} acp-tui worktrees apply ${name} brings its changes back.`,
  ];
}

function submoduleProblems({submodules: {empty}, nested}: CopiedFiles): readonly string[] {
  return [
    ...(empty.length > 0 ? [`Submodules that are empty here, as in the source: ${namedFiles(empty)}.`] : []),
    ...(nested.length > 0
      ? [`Not copied, since they are repositories of their own: ${namedFiles(nested)}.`]
      : []),
  ];
}

/** A set-up that takes longer has failed, in milliseconds. */
const MAX_SET_UP_MS = 15 * 60_000;

/** Of a package manager that lists all that it does. */
const MAX_SET_UP_OUTPUT = 1024 * 1024;

/** Runs the user's command in a new worktree, whose files an agent may have written; returns sentences about what went wrong. */
async function runSetUp({command, session}: SetUp, cwd: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const {environment} = session;
  const end = await runAsConfined(
    {
      command,
      environment,
      input: '',
      limitMs: MAX_SET_UP_MS,
      maxOutput: MAX_SET_UP_OUTPUT,
      leavesRunning: true,
    },
    {...session, cwd, additionalDirectories: []},
    (text) => problems.push(text),
  );
  if ('exitCode' in end && end.exitCode === 0) return problems;
  const said = 'problem' in end ? end.problem : end.stderr.trimEnd() || end.stdout.trimEnd();
  const last = sanitizeLine(said.split('\n').at(-1) ?? '').slice(0, 200);
  return [...problems, `The set-up command of the worktree failed: ${last || sanitizeLine(command)}`];
}
