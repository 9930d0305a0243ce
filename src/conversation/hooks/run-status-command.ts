import {startUserProgram, type ProgramEnd} from '../../host/shell/user-program.ts';
import type {StatusLine} from '../../session/actions.ts';
import type {Result} from '../../shared/failure.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {ConversationContext} from '../context.ts';

const TIME_LIMIT_MS = 5000;

/** See `SessionActions.runStatusCommand`. */
export async function runStatusCommand(
  {sandbox: confining, options, run, phase}: ConversationContext,
  command: string,
  input: string,
): Promise<Result<StatusLine | undefined>> {
  // The sandbox of an agent is set up when the agent starts, and may wait for a question until then.
  if (confining && !run) return {ok: true, value: undefined};
  const opened = await confining?.open();
  if (opened?.ok === false) return opened;
  const {signal} = phase.ended;
  const {cwd, environment} = options;
  const how = {sandbox: opened?.value, limitMs: TIME_LIMIT_MS, signal};
  const end = await startUserProgram({command, input, cwd, environment, ...how}).ended;
  return {ok: true, value: signal.aborted ? undefined : lineOf(end)};
}

/** Returns the first line that it printed, or why there is none. */
function lineOf(end: ProgramEnd): StatusLine {
  if ('problem' in end) return end;
  const {exitCode, stdout} = end;
  if (exitCode !== 0) return {problem: `It exited with code ${exitCode}.`};
  const [line = ''] = stdout.split('\n');
  return {text: sanitizeLine(line).trim() || undefined};
}
