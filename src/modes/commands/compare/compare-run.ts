import type {AgentStarts} from '../../../agents/launch.ts';
import {tableLines} from '../../../cli/table.ts';
import {signalCode} from '../../../cli/exit-codes.ts';
import type {CatchableSignal} from '../../../shared/processes/before-signal.ts';
import {openSubcommandIo, printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';
import {comparedFacts} from '../../../session/labels/compared-agent.ts';
import {duration, pluralize} from '../../../text/format.ts';
import {escapeHiddenLine} from '../../../text/hidden.ts';
import {jsonText} from '../../../text/json.ts';
import type {CompareCommand} from './compare-arguments.ts';
import {contestantsOf, worktreesOf} from './contestants.ts';
import {keepOne} from './keep-one.ts';
import {onSignal} from '../../print/io.ts';
import {ownInputKind, readOfferedInput} from '../../print/standard-input.ts';
import {runContestant, type Interruption, type Outcome} from './run-contestant.ts';

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
  const interruption = watchInterruption(io);
  const warn = (text: string) => io.stderr(`acp-tui: warning: ${text}\n`);
  const input = readOfferedInput(ownInputKind(), () => process.stdin, {warn});
  const outcomes = await Promise.all(
    worktrees.map(async ([contestant, worktree]) => {
      const outcome = await runContestant(contestant, worktree, {command, starts, interruption, input, warn});
      worktree.release();
      io.stderr(`${contestant.agent}: ${wordOf(outcome)} after ${duration(outcome.durationMs)}\n`);
      return outcome;
    }),
  );
  interruption.stop();
  if (command.json) io.stdout.write(`${jsonText({v: 1, prompt: command.prompt, agents: outcomes}, 2)}\n`);
  else for (const line of tableOf(outcomes, io)) io.stdout.write(`${line}\n`);
  const received = interruption.received();
  if (received) {
    io.stderr(WHERE_THEY_ARE);
    return io.end(signalCode(received));
  }
  const entries = worktrees.map(([{agent}, {record}], index) => ({
    agent,
    record,
    isDone: outcomes[index]?.stopReason === 'end_turn',
  }));
  const isKept = await keepOne(entries, command, io);
  io.stderr(WHERE_THEY_ARE);
  const isGood = ({stopReason, check}: Outcome) => stopReason === 'end_turn' && check !== 'failed';
  return io.end(isKept && outcomes.some(isGood) ? 0 : 1);
}

const WHERE_THEY_ARE = 'acp-tui worktrees lists the worktrees that stay.\n';

/** Watches for the first signal, which ends what the agents do and what is run afterwards; a second one ends the program. */
function watchInterruption({stderr}: SubcommandIo): Interruption & {readonly stop: () => void} {
  const controller = new AbortController();
  let received: CatchableSignal | undefined;
  const stop = onSignal((signal) => {
    stop();
    received = signal;
    if (signal === 'SIGINT') stderr('acp-tui: Cancelling; press Ctrl+C again to quit now.\n');
    controller.abort();
  });
  return {received: () => received, ended: controller.signal, stop};
}

function wordOf({exitCode, error}: Outcome): string {
  return exitCode === 0 ? 'done' : escapeHiddenLine(error ?? `failed (${exitCode})`);
}

function tableOf(outcomes: readonly Outcome[], {stdout}: SubcommandIo): readonly string[] {
  const column = (text: (outcome: Outcome) => string) => outcomes.map(text);
  const facts = outcomes.map(comparedFacts);
  return tableLines(
    [
      {head: 'AGENT', texts: column(({agent}) => agent), style: stdout.style.bold, most: 20},
      {head: 'OUTCOME', texts: column(wordOf), most: 32},
      {head: 'TIME', texts: facts.map(({time}) => time)},
      {head: 'TOKENS', texts: column(({tokens}) => tokens?.toString() ?? '?')},
      {head: 'COST', texts: facts.map(({cost}) => cost)},
      {head: 'FILES', texts: facts.map(({files}) => files)},
      {head: 'LINES', texts: facts.map(({lines}) => lines)},
      {head: 'CHECK', texts: facts.map(({check}) => check)},
      {head: 'WORKTREE', texts: column(({worktree}) => worktree)},
    ],
    stdout,
  );
}
