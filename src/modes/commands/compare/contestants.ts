import {missingProgramFailure, type AgentStarts} from '../../../agents/launch.ts';
import {commonOptions, runSchema, type CommonOptions} from '../../../cli/options.ts';
import {printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';
import type {ConversationOptions} from '../../../conversation/options.ts';
import {readSettings} from '../../../settings/settings.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {escapeHiddenLine} from '../../../text/hidden.ts';
import {setUpRun} from '../../start/run-setup.ts';
import {openWorktree, type SessionWorktree} from '../../start/session-worktree.ts';
import type {CompareCommand} from './compare-arguments.ts';

/** An agent that can be started, and its options. */
export interface Contestant {
  readonly agent: string;
  readonly given: CommonOptions;
  readonly options: ConversationOptions;
}

/** Names every agent that cannot be started before any is; undefined then. */
export async function contestantsOf(
  command: CompareCommand,
  {demoCommand}: AgentStarts,
  {stderr}: SubcommandIo,
): Promise<readonly Contestant[] | undefined> {
  const {approve, allow, deny, sandbox, cwd} = command;
  const own = {approve, allow, deny, sandbox, cwd};
  // The others would wait for it, too.
  const common = {...commonOptions(runSchema.parse({})), ...own, waitForLimits: false};
  const found: Contestant[] = [];
  for (const agent of command.with) {
    const given = {...common, agent};
    const {options, close} = await setUpRun(given, {hasUser: false, demoCommand});
    close();
    const missing = options.ok
      ? missingProgramFailure(options.value.agent, options.value.environment)
      : options.failure;
    if (missing) stderr(`acp-tui: ${agent}: ${failureSentence(missing)}\n`);
    else if (options.ok) found.push({agent, given, options: options.value});
  }
  return found.length === command.with.length ? found : undefined;
}

type Started = readonly (readonly [Contestant, SessionWorktree])[];

/** Creates a worktree for each, or for none; undefined then. */
export async function worktreesOf(
  contestants: readonly Contestant[],
  {prompt}: CompareCommand,
  {stderr}: SubcommandIo,
): Promise<Started | undefined> {
  const paths = findPaths();
  const {settings} = readSettings(paths.config);
  const started: (readonly [Contestant, SessionWorktree])[] = [];
  for (const contestant of contestants) {
    const named = {prompt: `${contestant.agent} ${prompt}`};
    const opened = await openWorktree(contestant.options, named, {paths, settings});
    if (!opened.ok) {
      printFailure(stderr, opened.failure);
      for (const [, worktree] of started) await worktree.discard();
      return undefined;
    }
    for (const problem of opened.value.problems) stderr(`acp-tui: warning: ${escapeHiddenLine(problem)}\n`);
    started.push([contestant, opened.value]);
  }
  return started;
}
