import type {Result} from '../../shared/failure.ts';
import {fail} from '../../shared/failure.ts';
import {notRunning, type ConversationContext} from '../context.ts';

/** A longer command is stopped, in milliseconds. */
const TIME_LIMIT_MS = 60_000;
/** Bytes of output of one command that a prompt takes. */
const MAX_OUTPUT = 64 * 1024;

/** Runs the commands of a prompt one after the other, each with the permission that a command of the agent needs. */
export async function commandOutputs(
  context: ConversationContext,
  commands: readonly string[],
  calledBy: string,
): Promise<Result<readonly string[]>> {
  const outputs: string[] = [];
  const stopping = new AbortController();
  context.commandRuns.add(stopping);
  try {
    for (const command of commands) {
      const output = await outputOf(context, command, {stopped: stopping.signal, calledBy});
      if (!output.ok) return output;
      outputs.push(output.value);
    }
    return {ok: true, value: outputs};
  } finally {
    context.commandRuns.delete(stopping);
  }
}

async function outputOf(
  {host, sink}: ConversationContext,
  command: string,
  {stopped, calledBy}: {readonly stopped: AbortSignal; readonly calledBy: string},
): Promise<Result<string>> {
  const {sessionId} = sink.state();
  if (sessionId === undefined) return notRunning();
  const refused = (why: string) =>
    fail({kind: 'not_offered', what: `the output of ${command}`, why} as const);
  const created = await host.createTerminal(
    {sessionId, command, outputByteLimit: MAX_OUTPUT},
    stopped,
    calledBy,
  );
  if (!created.ok) return refused(created.message);
  const {terminalId} = created.value;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), TIME_LIMIT_MS);
  const exit = await host.terminals.waitForExit(terminalId, AbortSignal.any([limit.signal, stopped]));
  clearTimeout(timer);
  const output = host.terminals.output(terminalId);
  await host.terminals.release(terminalId);
  if (limit.signal.aborted) return refused(`it did not end within ${TIME_LIMIT_MS / 1000} s and was stopped`);
  if (!exit.ok || exit.value.exitCode === null) return refused('it was stopped');
  if (!output.ok) return refused(output.message);
  const {exitCode} = exit.value;
  const status = exitCode === 0 ? '' : `\n(exit code ${exitCode})`;
  return {ok: true, value: output.value.output.trimEnd() + status};
}
