import {resolve} from 'node:path';
import {text} from 'node:stream/consumers';
import type {CommonOptions, InteractiveOptions} from '../cli/options.ts';
import type {SessionStart} from '../service/messages.ts';
import {connectService} from '../service/service-client.ts';
import {failureSentence} from '../shared/failure-messages.ts';
import {findPaths} from '../storage/paths.ts';

/** Starts a session in the background with a prompt of the arguments or standard input, and prints its id; resolves to the exit code. */
export async function runInBackground({prompt: typed, ...given}: InteractiveOptions): Promise<number> {
  const prompt = typed ?? (await promptOnStdin());
  const service = await connectService(findPaths().state);
  const started = service.ok ? await service.value.start(sessionStart(given, prompt)) : service;
  if (service.ok) service.value.close();
  if (!started.ok) {
    process.stderr.write(`acp-tui: ${failureSentence(started.failure)}\n`);
    return 1;
  }
  const {id} = started.value;
  process.stdout.write(`${id}\n`);
  if (process.stderr.isTTY) process.stderr.write(`acp-tui attach ${id} shows it.\n`);
  return 0;
}

async function promptOnStdin(): Promise<string | undefined> {
  const read = process.stdin.isTTY ? '' : (await text(process.stdin)).trimEnd();
  return read === '' ? undefined : read;
}

/** Returns how to start a session with these options, here and now. */
export function sessionStart(given: CommonOptions, prompt?: string): SessionStart {
  return {given: withAbsolutePaths(given), prompt, environment: process.env};
}

/** The service has another working folder. */
function withAbsolutePaths(given: CommonOptions): CommonOptions {
  const {cwd = '.', additionalDirectories, mcpConfig, record} = given;
  return {
    ...given,
    cwd: resolve(cwd),
    additionalDirectories: additionalDirectories.map((folder) => resolve(folder)),
    mcpConfig: mcpConfig.map((file) => resolve(file)),
    record: record && {...record, file: resolve(record.file)},
  };
}
