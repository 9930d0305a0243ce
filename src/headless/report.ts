import {statSync, writeFileSync} from 'node:fs';
import {access, constants, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {exitCodeOf, type RunOutcome} from '../cli/exit-codes.ts';
import {NO_ANSWER} from '../session/labels/labels.ts';
import {failureSentence} from '../shared/failure-messages.ts';
import type {Failure, Result} from '../shared/failure.ts';
import {failed, notWritten} from '../shared/file-failure.ts';
import {replaceFile} from '../storage/files.ts';
import {counted} from '../text/format.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {Ending, Run} from './context.ts';
import {explain, type RunError} from './explain-errors.ts';
import {refusedSubagent, resultOf} from './result.ts';
import {saveContent} from './save-content.ts';
import type {RunResult} from './schema.ts';

/** How long a run that is leaving waits for a slow reader, in milliseconds. */
const LEAVE_MS = 1000;

/** Writes result, last message and errors; resolves to the exit code when everything is written, or cannot be. */
export async function report(run: Run, ending: Ending): Promise<number> {
  const {client, options, io, answer, format, interruptions, startedAt} = run;
  const messages = answer.messages();
  const state = client.ownState();
  const denied = client.denied();
  const {content, failure: notSaved} = await saveContent(state, options.saveContent);
  const outcome = saved(run, outcomeOf(run, ending, notSaved));
  const error =
    ending.kind === 'wrong_usage'
      ? usageError(ending)
      : explain(outcome, {
          timeoutSeconds: options.timeoutSeconds,
          denied: denied.map((request) => ({...request, subagent: refusedSubagent(request, state)})),
          agent: client.agent,
        });
  const exitCode = ending.kind === 'wrong_usage' ? 2 : exitCodeOf(outcome);
  const durationMs = Math.round(performance.now() - startedAt);
  const {stopReason} = outcome;
  format.finish(
    resultOf({state, messages, content, denied, stopReason, error, exitCode, durationMs}),
    answer.lastMessage(),
  );
  io.stdout.flush();
  reportSavedContent(run, content);
  if (error) io.stderr.write(`acp-tui: ${error.message}\n`);
  else if (state.lastTurn?.isEmpty) io.stderr.write(`acp-tui: warning: ${NO_ANSWER}\n`);
  if ((await isWritten(run)) || ending.kind === 'wrong_usage') return exitCode;
  const {signal, timedOut, notWritten} = interruptions;
  if (notWritten && !outcome.failure) io.stderr.write(`acp-tui: ${failureSentence(notWritten)}\n`);
  await isWritten(run);
  return exitCodeOf({...outcome, signal, timedOut, failure: outcome.failure ?? notWritten});
}

/** Prints one line for formats that do not list the files. */
function reportSavedContent({options, format, io}: Run, content: RunResult['content']): void {
  const files = content.filter(({path}) => path !== null).length;
  if (!format.narrates || files === 0) return;
  io.stderr.write(`content: saved ${counted(files, 'file')} in ${sanitizeLine(options.saveContent ?? '')}\n`);
}

/** A run that is leaving waits a moment for a slow reader; one that hurries does not. */
function isWritten({io, interruptions: {leave, hurry}}: Run): Promise<boolean> {
  const written = Promise.all([io.stdout.written(), io.stderr.written()]);
  return Promise.race([
    written.then(([broken]) => broken === undefined),
    hurry.then(() => false),
    leave.then(() => delay(LEAVE_MS, false, {ref: false})),
  ]);
}

function outcomeOf(
  {client, interruptions, io}: Run,
  ending: Ending,
  notSaved: Failure | undefined,
): RunOutcome {
  const {outcome, lost} = ending.kind === 'turn' ? ending : {};
  const notWritten = interruptions.notWritten ?? io.notRecorded() ?? notSaved;
  return {
    signal: interruptions.signal,
    timedOut: interruptions.timedOut,
    failure: outcome?.kind === 'failed' ? outcome.failure : (lost ?? notWritten),
    denied: client.denied().length > 0,
    stopReason: outcome?.kind === 'stopped' ? outcome.stopReason : undefined,
  };
}

/** Writes the last message, or a part of one, to the file of `--output`; never touches the file if no turn started. */
function saved({options, answer}: Run, outcome: RunOutcome): RunOutcome {
  const messages = answer.messages();
  if (options.output === undefined || (messages.length === 0 && outcome.stopReason === undefined))
    return outcome;
  const result = writeLastMessage(options.output, answer.lastMessage());
  return result.ok || outcome.failure ? outcome : {...outcome, failure: result.failure};
}

function usageError({problem}: Extract<Ending, {kind: 'wrong_usage'}>): RunError {
  return {kind: 'usage', message: typeof problem === 'string' ? problem : failureSentence(problem)};
}

/** Checks that the `--output` file can be written, before a prompt is sent and paid for. */
export async function checkOutputFile(path: string): Promise<Result<void>> {
  try {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return failed(path, 'it is a folder');
    await access(!found || found.isFile() ? dirname(path) : path, constants.W_OK);
    return {ok: true, value: undefined};
  } catch (error) {
    return failed(path, error);
  }
}

/** Writes the last message atomically: readers see the old text or the new one. */
function writeLastMessage(path: string, message: string | undefined): Result<void> {
  try {
    const text = message === undefined ? '' : `${message}\n`;
    const found = statSync(path, {throwIfNoEntry: false});
    // A pipe or device is written to, never replaced.
    if (found && !found.isFile()) writeFileSync(path, text);
    else replaceFile(path, text, found ? found.mode & 0o777 : 0o666);
    return {ok: true, value: undefined};
  } catch (error) {
    return {ok: false, failure: notWritten({file: path}, error)};
  }
}
