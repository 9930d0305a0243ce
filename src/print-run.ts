import type {PrintOptions} from './cli/options.ts';
import {createHeadlessClient, createUnstartedClient} from './client/headless-client.ts';
import {processIo} from './headless/io.ts';
import {runPrint} from './headless/run.ts';
import {quietConsole} from './protocol/quiet-console.ts';
import {setUpRun, type RunKind} from './run-setup.ts';

/** A run without a screen, in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function printRun(given: PrintOptions, demoCommand: RunKind['demoCommand']): Promise<number> {
  const {log, options, problems} = await setUpRun(given, {person: false, demoCommand});
  const io = processIo();
  quietConsole(log.write);
  for (const problem of problems) io.stderr.write(`acp-tui: warning: ${problem}\n`);
  const client = options.ok
    ? createHeadlessClient(options.value, log.write)
    : createUnstartedClient(options.failure);
  const exitCode = await runPrint(client, given, io);
  log.flush();
  return exitCode;
}
