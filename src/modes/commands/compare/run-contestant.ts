import {Writable} from 'node:stream';
import type {AgentStarts} from '../../../agents/launch.ts';
import type {PrintOptions} from '../../../cli/options.ts';
import {createOutput} from '../../../cli/output.ts';
import type {ComparedAgent} from '../../../session/labels/compared-agent.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {jsonOf} from '../../../text/json.ts';
import {examineCompared} from '../../../worktrees/compare/examine-compared.ts';
import {processIo, type PrintIo} from '../../print/io.ts';
import {runPrintMode} from '../../print/print-mode.ts';
import {resultSchema} from '../../print/schema.ts';
import type {SessionWorktree} from '../../start/session-worktree.ts';
import type {CompareCommand} from './compare-arguments.ts';
import type {Contestant} from './contestants.ts';

/** What an agent did, and what it said. */
export interface Outcome extends ComparedAgent {
  readonly exitCode: number;
  readonly text: string;
}

interface Running {
  readonly command: CompareCommand;
  readonly starts: AgentStarts;
}

/** Runs the prompt as print mode does, then the check, and looks at what was changed. */
export async function runContestant(
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
  return {
    agent,
    worktree: record.name,
    exitCode,
    error: result?.error?.message ?? null,
    text: result?.text ?? '',
    durationMs: result?.durationMs ?? 0,
    tokens: result?.usage.tokens?.total ?? null,
    cost: result?.usage.cost ?? null,
    ...(await examineCompared(record, {state: findPaths().state, check, options: {...options, cwd}})),
  };
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
