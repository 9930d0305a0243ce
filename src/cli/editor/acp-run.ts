import {Readable, Writable} from 'node:stream';
import {ndJsonStream} from '@agentclientprotocol/sdk/unstable';
import {editorServices} from '../../bootstrap/editor.ts';
import {createEditorAgent} from '../../editor/editor-agent.ts';
import {quietConsole} from '../../protocol/quiet-console.ts';
import {createLog} from '../../storage/log.ts';
import {findPaths, logFile} from '../../storage/paths.ts';
import type {CommonOptions} from '../options.ts';

/** Runs `acp-tui acp`: is an agent on standard input and output until the editor closes them. Resolves to the exit code. */
export async function acpRun(given: CommonOptions): Promise<number> {
  const paths = findPaths();
  const file = given.logFile ?? (given.save ? logFile(paths) : undefined);
  const log = createLog({file, level: given.logLevel ?? 'info', env: process.env, now: Date.now});
  // Standard output has nothing but messages.
  quietConsole(log.write);
  const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const {app, end} = createEditorAgent(editorServices(given, paths));
  const connection = app.connect(ndJsonStream(output, input));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => connection.close());
  await connection.closed;
  await end();
  log.flush();
  return 0;
}
