import {Writable} from 'node:stream';
import type {AgentStarts} from '../../../agents/launch.ts';
import type {PrintOptions} from '../../../cli/options.ts';
import type {CatchableSignal} from '../../../shared/processes/before-signal.ts';
import {createOutput} from '../../../cli/output.ts';
import type {ComparedAgent} from '../../../session/labels/compared-agent.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {escapeHiddenLine} from '../../../text/hidden.ts';
import {jsonOf} from '../../../text/json.ts';
import {examineCompared} from '../../../worktrees/compare/examine-compared.ts';
import {onSignal, processIo, type PrintIo} from '../../print/io.ts';
import {runPrintMode} from '../../print/print-mode.ts';
import {resultSchema} from '../../print/schema.ts';
import type {OfferedInput} from '../../print/standard-input.ts';
import type {SessionWorktree} from '../../start/session-worktree.ts';
import type {CompareCommand} from './compare-arguments.ts';
import type {Contestant} from './contestants.ts';

/** What an agent did, and what it said. */
export interface Outcome extends ComparedAgent {
  readonly exitCode: number;
  /** Why its turn ended; null without one. */
  readonly stopReason: string | null;
  readonly text: string;
}

/** A signal that ends the comparison. */
export interface Interruption {
  /** Returns the first one. */
  readonly received: () => CatchableSignal | undefined;
  /** Aborted once there is one. */
  readonly ended: AbortSignal;
}

interface Running {
  readonly command: CompareCommand;
  readonly starts: AgentStarts;
  readonly interruption: Interruption;
  /** Standard input, which is read once: each agent gets all of it. */
  readonly input: OfferedInput;
  readonly warn: (text: string) => void;
}

/** Runs the prompt as print mode does, then the check, and looks at what was changed. */
export async function runContestant(
  {agent, given, options}: Contestant,
  {record, cwd}: SessionWorktree,
  {command, starts, interruption, input, warn}: Running,
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
  const exitCode = await runPrintMode(print, starts, (notRecorded) =>
    capturedIo(notRecorded, {printed, interruption, input}),
  );
  const result = resultSchema.safeParse(jsonOf(Buffer.concat(printed).toString('utf8'))).data;
  return {
    agent,
    worktree: record.name,
    exitCode,
    stopReason: result?.stopReason ?? null,
    error: result?.error?.message ?? null,
    text: result?.text ?? '',
    durationMs: result?.durationMs ?? 0,
    tokens: result?.usage.tokens?.total ?? null,
    cost: result?.usage.cost ?? null,
    ...(await examineCompared(record, {
      state: findPaths().state,
      check,
      options: {...options, cwd},
      ended: interruption.ended,
      tell: (text) => warn(`${agent}: ${escapeHiddenLine(text)}`),
    })),
  };
}

interface Captured extends Pick<Running, 'interruption' | 'input'> {
  readonly printed: Buffer[];
}

/** The result is kept, and not what print mode says beside it. A signal that came before it listens is not lost. */
function capturedIo(
  notRecorded: PrintIo['notRecorded'],
  {printed, interruption: {received}, input}: Captured,
): PrintIo {
  const into = (take: (chunk: Buffer) => void) =>
    new Writable({
      write(chunk: Buffer, _, done) {
        take(chunk);
        done();
      },
    });
  return {
    ...processIo(notRecorded),
    offeredStdin: () => input,
    onSignal(listener) {
      const signal = received();
      if (signal) queueMicrotask(() => listener(signal));
      return onSignal(listener);
    },
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
