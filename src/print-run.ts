import type {ResolveOptions} from './agents/resolve.ts';
import type {PrintOptions} from './cli/options.ts';
import {clientOptionsFrom} from './client/from-options.ts';
import {createHeadlessClient, createUnstartedClient} from './client/headless-client.ts';
import {processIo} from './headless/io.ts';
import {runPrint} from './headless/run.ts';

/** A run without a screen, in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function printRun(
  options: PrintOptions,
  demoCommand: ResolveOptions['demoCommand'],
): Promise<number> {
  const resolved = await clientOptionsFrom(options, {
    agent: 'demo',
    approval: 'reads',
    person: false,
    demoCommand,
    startSeconds: 120,
  });
  const client = resolved.ok
    ? createHeadlessClient(resolved.value, () => {})
    : createUnstartedClient(resolved.failure);
  return runPrint(client, options, processIo());
}
