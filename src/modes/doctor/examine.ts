import {setTimeout as sleep} from 'node:timers/promises';
import type {Failure} from '../../shared/failure.ts';
import {createWireRingBuffer} from '../../recording/ring-buffer.ts';
import type {RecordingLine} from '../../recording/format.ts';
import {pluralize} from '../../text/format.ts';
import type {Check, Examination, ExaminationOptions, ProbeResults, Probe, AgentRun} from './examination.ts';
import {startAgentRun} from './agent-process.ts';
import {PROBES} from './probes/index.ts';
import {addAll} from '../../text/lists.ts';

/** The results of an examination, complete or interrupted. */
export interface ExaminationResults {
  readonly checks: readonly Check[];
  readonly found: ProbeResults;
  /** All protocol messages. */
  readonly lines: readonly RecordingLine[];
  readonly interrupted: boolean;
  readonly durationMs: number;
}

/** More than an examination produces, unless an agent floods it. */
const LIMITS = {units: 64 * 1024 * 1024, events: 200_000};

/** Examines an agent, one probe after the other. When `signal` aborts, it ends with the results so far. No process keeps running. */
export async function examine(options: ExaminationOptions): Promise<ExaminationResults> {
  const startedAt = performance.now();
  const wire = createWireRingBuffer(LIMITS);
  const runs: AgentRun[] = [];
  const examination: Examination = {
    options,
    setup: {cwd: options.cwd, additionalDirectories: [], mcpServers: []},
    found: {forks: []},
    async start() {
      options.signal.throwIfAborted();
      const started = await startAgentRun(options, (event) => {
        wire.add(event);
        options.onWire?.(event);
      });
      if (started.ok) runs.push(started.value);
      return started;
    },
    explained: async (failure) => inSandbox(options, await explained(failure, runs.at(-1)), runs.at(-1)),
  };
  const killNow = () => {
    for (const {process} of runs) process.killNow();
  };
  process.on('exit', killNow);
  const checks: Check[] = [];
  for (const probe of PROBES) {
    if (options.signal.aborted) break;
    addAll(checks, await unlessAborted(probe, examination));
  }
  options.onProgress('stopping the agent');
  await Promise.all(runs.map((run) => run.end()));
  process.off('exit', killNow);
  const lines = wire.lines();
  return {
    checks: [...checks, ...outputChecks(lines)],
    found: examination.found,
    lines,
    interrupted: options.signal.aborted,
    durationMs: Math.round(performance.now() - startedAt),
  };
}

async function unlessAborted(probe: Probe, examination: Examination): Promise<readonly Check[]> {
  try {
    return await probe(examination);
  } catch (error) {
    if (examination.options.signal.aborted) return [];
    throw error;
  }
}

/** How long an agent may take to exit after its connection was lost, in milliseconds. */
const EXIT_MS = 1000;

async function explained(failure: Failure, run: AgentRun | undefined): Promise<Failure> {
  if (failure.kind === 'no_answer' && failure.method === 'initialize' && run)
    return {...failure, stderrTail: run.process.stderrTail()};
  if (failure.kind !== 'connection_lost' || !run) return failure;
  const exit = await Promise.race([run.process.exited, sleep(EXIT_MS, undefined, {ref: false})]);
  return run.process.lost?.() ?? {...failure, exit, stderrTail: run.process.stderrTail()};
}

async function inSandbox(
  {agent, sandbox}: ExaminationOptions,
  failure: Failure,
  run: AgentRun | undefined,
): Promise<Failure> {
  const opened = await sandbox?.();
  if (!opened?.ok || !run) return failure;
  const stderr = run.process.stderrTail();
  return opened.value.explained(failure, {agent, environment: process.env, stderr});
}

/** Checks output that is not protocol: other lines on stdout, and stderr. */
function outputChecks(lines: readonly RecordingLine[]): readonly Check[] {
  if (lines.length === 0) return [];
  const noise = lines.flatMap((line) => (line.d === '<' && 'text' in line ? [line.text] : []));
  const errors = lines
    .flatMap((line) => (line.d === '!' ? [line.text] : []))
    .join('')
    .split('\n')
    .filter((text) => /\w{2}/.test(text));
  const stdout = {id: 'stdout', name: 'only messages on standard output', advertised: 'always'} as const;
  const besides = `${pluralize(noise.length, 'line')} of other output, the first: ${noise[0]}`;
  const note =
    errors.length === 0 ? 'nothing' : `${pluralize(errors.length, 'line')}, the last: ${errors.at(-1)}`;
  return [
    noise.length === 0 ? {...stdout, result: 'worked'} : {...stdout, result: 'failed', note: besides},
    {id: 'stderr', name: 'standard error', advertised: 'unspecified', result: 'worked', note},
  ];
}
