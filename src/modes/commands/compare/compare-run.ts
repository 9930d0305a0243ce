import {Writable} from 'node:stream';
import {execa} from 'execa';
import type {AgentStarts} from '../../../agents/launch.ts';
import {missingProgramFailure} from '../../../agents/launch.ts';
import {commonOptions, runSchema, type CommonOptions, type PrintOptions} from '../../../cli/options.ts';
import {createOutput} from '../../../cli/output.ts';
import {tableLines} from '../../../cli/table.ts';
import {openSubcommandIo, printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';
import type {ConversationOptions} from '../../../conversation/options.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {silentSandbox} from '../../../sandbox/session-sandbox.ts';
import {readSettings} from '../../../settings/settings.ts';
import {cost, duration, pluralize} from '../../../text/format.ts';
import {escapeHiddenLine} from '../../../text/hidden.ts';
import {jsonOf, jsonText} from '../../../text/json.ts';
import {applyWorktree} from '../../../worktrees/apply-worktree.ts';
import {refused} from '../../../worktrees/create-worktree.ts';
import {lookAtWorktree} from '../../../worktrees/look-at-worktree.ts';
import {lossesOf, removeWorktree} from '../../../worktrees/remove-worktree.ts';
import {readRecord, type WorktreeRecord} from '../../../worktrees/worktree-record.ts';
import {processIo, type PrintIo} from '../../print/io.ts';
import {runPrintMode} from '../../print/print-mode.ts';
import {resultSchema} from '../../print/schema.ts';
import {setUpRun} from '../../start/run-setup.ts';
import {openWorktree, type SessionWorktree} from '../../start/session-worktree.ts';
import type {CompareCommand} from './compare-arguments.ts';

/** An agent that can be started, and its options. */
interface Contestant {
  readonly agent: string;
  readonly given: CommonOptions;
  readonly options: ConversationOptions;
}

interface Outcome {
  readonly agent: string;
  readonly worktree: string;
  readonly exitCode: number;
  readonly error: string | null;
  readonly text: string;
  readonly durationMs: number;
  readonly tokens: number | null;
  readonly cost: {readonly amount: number; readonly currency: string} | null;
  /** Null, as are the lines, if the worktree cannot be examined. */
  readonly files: number | null;
  readonly added: number | null;
  readonly removed: number | null;
  /** Null without a check. */
  readonly check: 'passed' | 'failed' | null;
}

/** Runs `acp-tui compare …` in this process; resolves to the exit code. */
export async function compareRun(command: CompareCommand, starts: AgentStarts): Promise<number> {
  const io = openSubcommandIo();
  if (command.keep !== undefined && !command.with.includes(command.keep))
    return io.end(printFailure(io.stderr, `--keep must be one of ${command.with.join(', ')}.`, 2));
  const contestants = await contestantsOf(command, starts, io);
  if (!contestants) return io.end(2);
  const worktrees = await worktreesOf(contestants, command, io);
  if (!worktrees) return io.end(2);
  io.stderr(`${pluralize(worktrees.length, 'agent')} at work, each in a worktree; this may take a while.\n`);
  const outcomes = await Promise.all(
    worktrees.map(async ([contestant, worktree]) => {
      const outcome = await run(contestant, worktree, {command, starts});
      worktree.release();
      io.stderr(`${contestant.agent}: ${wordOf(outcome)} after ${duration(outcome.durationMs)}\n`);
      return outcome;
    }),
  );
  if (command.json) io.stdout.write(`${jsonText({v: 1, prompt: command.prompt, agents: outcomes}, 2)}\n`);
  else for (const line of tableOf(outcomes, io)) io.stdout.write(`${line}\n`);
  const records = worktrees.map(([{agent}, {record}]) => ({agent, record}));
  const isKept = await keepOne(records, command, io);
  const isGood = ({exitCode, check}: Outcome) => exitCode === 0 && check !== 'failed';
  return io.end(isKept && outcomes.some(isGood) ? 0 : 1);
}

/** Names every agent that cannot be started before any is; undefined then. */
async function contestantsOf(
  command: CompareCommand,
  {demoCommand}: AgentStarts,
  {stderr}: SubcommandIo,
): Promise<readonly Contestant[] | undefined> {
  const {approve, sandbox, cwd} = command;
  const common = {...commonOptions(runSchema.parse({})), approve, sandbox, cwd};
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

async function worktreesOf(
  contestants: readonly Contestant[],
  {prompt}: CompareCommand,
  {stderr}: SubcommandIo,
): Promise<Started | undefined> {
  const paths = findPaths();
  const {settings} = readSettings(paths.config);
  const started: (readonly [Contestant, SessionWorktree])[] = [];
  for (const contestant of contestants) {
    const named = {prompt: `${contestant.agent} ${prompt}`};
    const opened = await openWorktree(contestant.given, named, {paths, settings});
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

interface Running {
  readonly command: CompareCommand;
  readonly starts: AgentStarts;
}

/** Runs the prompt as print mode does, then the check, and looks at what was changed. */
async function run(
  {agent, given, options}: Contestant,
  {record, cwd}: SessionWorktree,
  {command, starts}: Running,
): Promise<Outcome> {
  const {prompt, timeout: timeoutSeconds, check} = command;
  const print: PrintOptions = {
    ...given,
    cwd,
    prompt,
    readStdin: false,
    files: [],
    format: 'json',
    output: undefined,
    saveContent: undefined,
    timeoutSeconds,
    include: new Set(),
  };
  const printed: Buffer[] = [];
  const exitCode = await runPrintMode(print, starts, (notRecorded) => capturedIo(notRecorded, printed));
  const result = resultSchema.safeParse(jsonOf(Buffer.concat(printed).toString('utf8'))).data;
  const checked = check === undefined ? null : await passes(check, {...options, cwd});
  const changed = await changesIn(record);
  return {
    agent,
    worktree: record.name,
    exitCode,
    error: result?.error?.message ?? null,
    text: result?.text ?? '',
    durationMs: result?.durationMs ?? 0,
    tokens: result?.usage.tokens?.total ?? null,
    cost: result?.usage.cost ?? null,
    ...changed,
    check: checked === null ? null : checked ? 'passed' : 'failed',
  };
}

async function changesIn(record: WorktreeRecord): Promise<Pick<Outcome, 'files' | 'added' | 'removed'>> {
  try {
    const {difference} = await lookAtWorktree(findPaths().state, record);
    const lines = difference.files.map((file) => file.lines ?? {added: 0, removed: 0});
    return {
      files: difference.files.length,
      added: lines.reduce((sum, {added}) => sum + added, 0),
      removed: lines.reduce((sum, {removed}) => sum + removed, 0),
    };
  } catch (error) {
    refused(error, `comparing the worktree ${record.name}`);
    return {files: null, added: null, removed: null};
  }
}

/** The result is kept, and not what print mode says beside it. */
function capturedIo(notRecorded: PrintIo['notRecorded'], printed: Buffer[]): PrintIo {
  const into = (take: (chunk: Buffer) => void) =>
    new Writable({
      write(chunk: Buffer, _, done) {
        take(chunk);
        done();
      },
    });
  return {
    ...processIo(notRecorded),
    stdout: createOutput(
      into((chunk) => void printed.push(chunk)),
      'standard output',
    ),
    stderr: createOutput(
      into(() => {}),
      'standard error',
    ),
  };
}

const MAX_CHECK_MS = 30 * 60_000;

/** Runs a command on what an agent has written: in its sandbox, if it has one. */
async function passes(
  check: string,
  {agent, cwd, additionalDirectories, environment, sandbox}: ConversationOptions,
): Promise<boolean> {
  const confined = silentSandbox(
    {agent, cwd, additionalDirectories, environment, ...(sandbox && {sandbox})},
    () => {},
  );
  const opened = await confined?.open();
  if (opened && !opened.ok) return false;
  const shell = ['/bin/sh', '-c', check] as const;
  const {argv, env} = opened?.value.confine([...shell], {cwd, env: {}}) ?? {argv: shell, env: process.env};
  const [program, ...args] = argv;
  const {failed} = await execa(program, args, {
    cwd,
    env,
    extendEnv: false,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    reject: false,
    timeout: MAX_CHECK_MS,
    killSignal: 'SIGKILL',
  });
  await confined?.close();
  return !failed;
}

function wordOf({exitCode, error}: Outcome): string {
  return exitCode === 0 ? 'done' : escapeHiddenLine(error ?? `failed (${exitCode})`);
}

function tableOf(outcomes: readonly Outcome[], {stdout}: SubcommandIo): readonly string[] {
  const column = (text: (outcome: Outcome) => string) => outcomes.map(text);
  return tableLines(
    [
      {head: 'AGENT', texts: column(({agent}) => agent), style: stdout.style.bold, most: 20},
      {head: 'OUTCOME', texts: column(wordOf), most: 32},
      {head: 'TIME', texts: column(({durationMs}) => duration(durationMs))},
      {head: 'TOKENS', texts: column(({tokens}) => tokens?.toString() ?? '?')},
      {head: 'COST', texts: column((outcome) => (outcome.cost ? cost(outcome.cost) : '?'))},
      {head: 'FILES', texts: column(({files}) => files?.toString() ?? '?')},
      {head: 'LINES', texts: column(({added, removed}) => (added === null ? '?' : `+${added} −${removed}`))},
      {head: 'CHECK', texts: column(({check}) => check ?? '')},
      {head: 'WORKTREE', texts: column(({worktree}) => worktree)},
    ],
    stdout,
  );
}

interface Entry {
  readonly agent: string;
  readonly record: WorktreeRecord;
}

/** Applies the changes of one agent, and removes the worktrees after a yes; false if that failed. */
async function keepOne(
  entries: readonly Entry[],
  {keep}: CompareCommand,
  {stderr, confirm}: SubcommandIo,
): Promise<boolean> {
  const {state} = findPaths();
  let chosen = entries.find(({agent}) => agent === keep);
  for (const entry of chosen ? [] : entries)
    if (!chosen && (await confirm?.(`Apply the changes of ${entry.agent} to ${entry.record.source}? [y/N] `)))
      chosen = entry;
  // Its session has ended since.
  const ended = chosen && readRecord(state, chosen.record.name);
  const applied = ended && (await applyWorktree(ended, {state}));
  if (applied && !applied.ok) printFailure(stderr, applied.failure);
  if (applied?.ok) stderr(`${escapeHiddenLine(applied.value.sentence)}\n`);
  for (const {agent, record} of entries.filter((entry) => entry !== chosen)) {
    const losses = await lossesOf(record, state);
    if (!losses.ok) continue;
    const {sentence = 'It has no changes.'} = losses.value;
    const question = `${agent}: ${escapeHiddenLine(sentence)} Remove the worktree ${record.name}? [y/N] `;
    if (await confirm?.(question)) await removeWorktree(record, {state, agreed: losses.value});
  }
  stderr('acp-tui worktrees lists the worktrees that stay.\n');
  return applied?.ok !== false;
}
