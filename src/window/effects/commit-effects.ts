import {homedir} from 'node:os';
import type {CommitProgram} from '../../git/commit-hooks.ts';
import type {ReviewedFile} from '../../session/review.ts';
import {isIdle} from '../../session/selectors.ts';
import type {UserQuestion} from '../../session/actions.ts';
import {pluralize, shownPath} from '../../text/format.ts';
import {unescapeHidden} from '../../text/hidden.ts';
import {quoteForAnyShell} from '../../text/shell-quote.ts';
import {withoutFence} from '../../session/labels/result-text.ts';
import {askAgent} from './ask-agent.ts';
import {notify, type EffectHandlers, type SessionContext} from './effect-context.ts';

const PROMPT =
  'Write a commit message for the changes of this session that I have accepted. Change nothing, and run nothing. Answer with the message alone: a subject in the imperative of at most 70 characters, a blank line, and why.';

export const commitEffects = {
  // The command runs in the user's shell, as if the user had typed it: with hooks and signatures, and with its output in the transcript.
  async commit_review({message: typed}, context) {
    const {client, tab} = context;
    const {cwd} = tab.session;
    if (!isIdle(tab.session)) return notify(context, 'A turn is running: commit when it is over.');
    // Agents often put a message into a block of code.
    const message = typed ?? withoutFence((await askAgent(context, PROMPT))?.trim() ?? '').trim();
    if (message === '') return notify(context, 'No message: nothing was committed.');
    const accepted = await acceptedFiles(context);
    if (typeof accepted === 'string') return notify(context, accepted);
    const programs = await programsIn(cwd, tab.session.entries.get(0)?.at ?? Date.now());
    const isAgreed = await client.askUser(questionOf({...accepted, message, programs, cwd}));
    if (!isAgreed) return notify(context, 'Nothing was committed.');
    const now = await acceptedFiles(context);
    const isSame = typeof now !== 'string' && now.paths.join('\0') === accepted.paths.join('\0');
    if (!isSame)
      return notify(context, 'Nothing was committed: the files have changed since. Review them again.');
    const git = ['git', '--literal-pathspecs', '-C', cwd];
    const commit = quoteForAnyShell([...git, 'commit', '-m', message, '--', ...accepted.paths]);
    if (accepted.unstaged.length === 0) return client.runShell(commit);
    return client.runShell(`${quoteForAnyShell([...git, 'add', '--', ...accepted.unstaged])} && ${commit}`);
  },
} satisfies Partial<EffectHandlers>;

async function programsIn(cwd: string, since: number): Promise<readonly CommitProgram[]> {
  const {commitPrograms, repositoryOf} = await import('../../git/commit-hooks.ts');
  const {placesNamedByGit} = await import('../../sandbox/protected/repositories.ts');
  const place = await repositoryOf(cwd);
  const named = await placesNamedByGit(
    new Map([place.git, place.own].map((git) => [git, new Set([place.top])])),
    homedir(),
  );
  return commitPrograms(cwd, since, {...place, named});
}

interface Accepted {
  /** Relative to the folder. */
  readonly paths: readonly string[];
  /** Those of them that are not in git's index as they are now. */
  readonly unstaged: readonly string[];
  /** Those of them that were not as in the last commit when the session began. */
  readonly changedBefore: readonly string[];
  /** Files of which only some hunks are accepted. */
  readonly partly: readonly string[];
}

/** Returns the files whose changes are all accepted and that git sees as changed; a sentence if there are none. */
async function acceptedFiles({client, tab}: SessionContext): Promise<Accepted | string> {
  const outcome = await client.review({kind: 'session'});
  if (!outcome.ok) return outcome.why;
  const {files} = outcome.review;
  const pathsOf = ({path, oldPath}: ReviewedFile) =>
    [path, ...(oldPath === undefined ? [] : [oldPath])].map((each) => unescapeHidden(each));
  const {changedForGit} = await import('../../git/changed-for-git.ts');
  const changed = await changedForGit(tab.session.cwd, files.flatMap(pathsOf));
  if (!changed) return 'This folder is in no git repository.';
  const accepted = files
    .filter(({isAccepted}) => isAccepted)
    .filter((file) => pathsOf(file).some((path) => changed.isChanged(path)));
  const paths = accepted.flatMap(pathsOf).filter((path) => changed.isChanged(path));
  if (paths.length === 0) return 'Nothing to commit: no changed file is accepted as a whole.';
  const isPartly = ({isAccepted, hunks}: ReviewedFile) =>
    !isAccepted && hunks.some((hunk) => hunk.isAccepted);
  const wasChanged = ({path, oldPath = path, beforeId}: ReviewedFile) =>
    changed.committed.get(unescapeHidden(oldPath)) !== beforeId;
  return {
    paths,
    unstaged: paths.filter((path) => changed.unstaged.has(path)),
    changedBefore: accepted.filter(wasChanged).map(({path}) => path),
    partly: files.filter(isPartly).map(({path}) => path),
  };
}

interface Commit extends Accepted {
  readonly message: string;
  readonly programs: readonly CommitProgram[];
  readonly cwd: string;
}

function questionOf({message, paths, changedBefore, partly, programs, cwd}: Commit): UserQuestion {
  const hooks = programs.filter(({kind}) => kind === 'hook');
  const isNew = programs.some((program) => program.isNew);
  const named = (some: readonly CommitProgram[]) => some.map(({path}) => shownPath(path, cwd)).join(', ');
  const text = [
    message,
    '',
    `Files: ${paths.join(', ')}`,
    changedBefore.length > 0 &&
      `Not as in the last commit when this session began, so that older changes, which were not reviewed here, may be committed with them: ${changedBefore.join(', ')}`,
    partly.length > 0 && `Not committed, since only some of their hunks are accepted: ${partly.join(', ')}`,
    hooks.length > 0 && `git runs these hooks, outside of any sandbox: ${named(hooks)}`,
    isNew &&
      `Changed since this session began, perhaps by the agent: ${named(programs.filter((each) => each.isNew))}. Read them first: they can run programs.`,
  ].filter((line) => line !== false);
  const what = `Commit ${pluralize(paths.length, 'file')}`;
  return {
    title: `${what}?`,
    text: text.join('\n'),
    yes: [what, isNew && 'and run what has changed', changedBefore.length > 0 && 'with older changes']
      .filter((part) => part !== false)
      .join(', '),
    no: 'Do not commit',
  };
}
