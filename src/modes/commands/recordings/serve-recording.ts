import {setTimeout as sleep} from 'node:timers/promises';
import {failureSentence} from '../../../shared/failure-messages.ts';
import {linesIn} from '../../../text/lines.ts';
import {createOutput, exitCodeAfter} from '../../../cli/output.ts';
import {loadRecording} from '../../../storage/recordings/load-recording.ts';
import type {Message} from '../../../recording/exchanges.ts';
import {runsOf} from '../../../recording/format.ts';
import {createRecordedAgent} from '../../../recording/recorded-agent.ts';
import {jsonOf, isJsonObject} from '../../../text/json.ts';
import type {ServeOptions} from '../../../cli/recording-options.ts';

/** Acts as the agent of a recording over stdio until its input ends; resolves to the exit code. */
export async function serveRun({file, run, speed}: ServeOptions): Promise<number> {
  const stdout = createOutput(process.stdout, 'standard output');
  const stderr = createOutput(process.stderr, 'standard error');
  const loaded = loadRecording(file);
  const recordedRun = loaded.ok ? runsOf(loaded.value.lines)[run - 1] : undefined;
  if (!recordedRun) {
    const why = loaded.ok ? `${file} has no agent process ${run}.` : failureSentence(loaded.failure);
    stderr.write(`acp-tui: ${why}\n`);
    return exitCodeAfter({stdout, stderr}, 2);
  }
  const {promise, resolve} = Promise.withResolvers<number>();
  const write = (line: string) => stdout.write(`${line}\n`);
  // A client that has exited sends no more requests.
  stdout.onBroken(() => resolve(0));
  const receive = createRecordedAgent(recordedRun, {
    send: (message) => write(JSON.stringify(message)),
    print: write,
    stderr: (text) => stderr.write(`${text}\n`),
    exit(code, signal) {
      stdout.flush();
      stderr.flush();
      if (signal === null) resolve(code ?? 1);
      else process.kill(process.pid, signal);
    },
    pause: (ms) => (speed === Infinity || ms <= 0 ? undefined : sleep(ms / speed)),
  });
  const read = async () => {
    for await (const line of linesIn(process.stdin as AsyncIterable<Uint8Array>)) {
      const message = messageIn(line);
      if (message) receive(message);
    }
  };
  // A standard input that fails has ended, too.
  void read()
    .catch(() => {})
    .then(() => resolve(0));
  return exitCodeAfter({stdout, stderr}, await promise);
}

function messageIn(line: string): Message | undefined {
  const value = jsonOf(line);
  return isJsonObject(value) ? value : undefined;
}
