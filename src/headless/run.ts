import type {PrintOptions} from '../cli/options.ts';
import {createAnswer} from './answer.ts';
import type {HeadlessClient} from './client-interface.ts';
import type {Ending, Run} from './context.ts';
import {converse} from './converse.ts';
import {formats} from './formats/index.ts';
import {watchInterruptions} from './interruptions.ts';
import type {HeadlessIo} from './io.ts';
import {report} from './report.ts';

/** How long a cancelled turn may take to end, unless somebody at the keyboard waits for it. */
const GRACE_MS = 5000;

/**
 * One prompt without a screen; resolves to the exit code when everything is written and everything that was started has
 * ended. Standard input may still be open then, so the caller leaves the process itself.
 */
export async function runPrint(
  client: HeadlessClient,
  options: PrintOptions,
  io: HeadlessIo,
): Promise<number> {
  const interruptions = watchInterruptions({
    io,
    timeoutSeconds: options.timeoutSeconds,
    graceMs: GRACE_MS,
    cancel() {
      if (client.state().turn.kind === 'idle') return false;
      client.actions.cancel();
      return true;
    },
  });
  const answer = createAnswer();
  const format = formats[options.format]({stdout: io.stdout, stderr: io.stderr, include: options.include});
  const run: Run = {startedAt: performance.now(), client, options, io, answer, format, interruptions};
  const stopFollowing = follow(run);
  const left = interruptions.leave.then((): Ending => ({kind: 'left'}));
  const ending = await Promise.race([converse(run), left]);
  stopFollowing();
  const exitCode = await report(run, ending);
  interruptions.leaving();
  await Promise.race([client.actions.close(), interruptions.hurry.then(() => client.killNow())]);
  interruptions.stop();
  return exitCode;
}

/** Hands each event and each line of the wire to the format, and lets a slow reader slow down the agent. */
function follow({client, answer, format, io}: Run): () => void {
  client.paceReading(() => io.stdout.pace());
  const stopEvents = client.onEvent((event, state) => {
    // What was said in earlier runs is no part of this one.
    if (event.type === 'session_update' && state.replay) return;
    const part = answer.onEvent(event, state);
    format.onStep?.({event, state, part});
    if (event.type === 'elicitation_refused' && !format.narrates)
      io.stderr.write(`acp-tui: warning: ${event.text}\n`);
  });
  const stopWire = client.onWire((message) => format.onWire?.(message));
  return () => {
    stopEvents();
    stopWire();
  };
}
