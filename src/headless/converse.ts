import type {PrintOptions} from '../cli/options.ts';
import type {TurnOutcome} from '../session/state.ts';
import type {HeadlessClient} from './client-interface.ts';
import type {Ending, Run} from './context.ts';
import type {HeadlessIo} from './io.ts';
import {checkOutputFile} from './last-message.ts';
import {contentOf, preparePrompt} from './prompt.ts';

/** Everything is checked before the agent is started, and everything that the agent must have is set before the prompt. */
export async function converse({client, options, io, interruptions}: Run): Promise<Ending> {
  if (options.output !== undefined) {
    const writable = await checkOutputFile(options.output);
    if (!writable.ok) return {kind: 'wrong_usage', problem: writable.failure};
  }
  const prepared = await preparePrompt(options, io);
  if (prepared.kind === 'wrong') return {kind: 'wrong_usage', problem: prepared.problem};
  warnOfUnreadInput(options, io);
  if (interruptions.isLeaving) return {kind: 'left'};
  const opened = await client.open();
  // What was opened is being closed already.
  if (interruptions.isLeaving) return {kind: 'left'};
  if (!opened.ok) return {kind: 'turn', outcome: {kind: 'failed', failure: opened.failure}};
  const ended = turnEnd(client);
  const capabilities = client.state().agent?.capabilities.promptCapabilities;
  client.actions.prompt(contentOf(prepared.prompt, capabilities));
  return {kind: 'turn', outcome: await ended};
}

function warnOfUnreadInput({readStdin, prompt}: PrintOptions, io: HeadlessIo): void {
  if (readStdin) return;
  const reason = prompt === '' ? 'there are files to send' : 'the prompt is in the arguments';
  io.onUnreadStdin(() =>
    io.stderr.write(
      `acp-tui: warning: Standard input is not read, since ${reason}; add --stdin to send it too.\n`,
    ),
  );
}

/** The state knows best when a turn has ended: with the agent's answer, or because the agent went away. */
function turnEnd(client: HeadlessClient): Promise<TurnOutcome> {
  const {promise, resolve} = Promise.withResolvers<TurnOutcome>();
  const stop = client.onEvent((_event, {turn, lastTurn}) => {
    if (turn.kind !== 'idle' || !lastTurn) return;
    stop();
    resolve(lastTurn.outcome);
  });
  return promise;
}
