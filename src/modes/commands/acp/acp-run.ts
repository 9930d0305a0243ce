import {Readable, Writable} from 'node:stream';
import type {AgentStarts} from '../../../agents/launch.ts';
import {editorServices} from '../../acp-agent/editor-services.ts';
import {prepareSession} from '../../start/prepared-session.ts';
import {createEditorAgent} from '../../acp-agent/editor-agent.ts';
import {editorStream} from '../../acp-agent/editor-stream.ts';
import {quietConsole} from '../../../protocol/quiet-console.ts';
import {ownSessions} from '../../../service/own-sessions.ts';
import {createLog} from '../../../storage/log.ts';
import {findPaths, logFile} from '../../../shared/files/paths.ts';
import {faultFailure} from '../../../settings/setting-problems.ts';
import {readSettings} from '../../../settings/settings.ts';
import {exitCodeOfFailure} from '../../../cli/exit-codes.ts';
import {openSubcommandIo, printFailure} from '../../../cli/terminal-io.ts';
import type {AcpOptions} from './acp-arguments.ts';

/** Runs `acp-tui acp`: is an agent on standard input and output until the editor closes them. Resolves to the exit code. */
export async function acpRun(
  {inBackground, ...given}: AcpOptions,
  {demoCommand, startAgent}: AgentStarts,
): Promise<number> {
  const paths = findPaths();
  const fault = faultFailure(readSettings(paths.config).problems);
  if (fault) {
    const io = openSubcommandIo();
    return io.end(printFailure(io.stderr, fault, exitCodeOfFailure(fault)));
  }
  const file = given.logFile ?? (given.save ? logFile(paths) : undefined);
  const log = createLog({file, level: given.logLevel ?? 'info', env: process.env, now: Date.now});
  // Standard output has nothing but messages.
  quietConsole(log.write);
  const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const own = inBackground
    ? undefined
    : ownSessions({
        log: log.write,
        startAgent,
        prepare: (start, reserve) => prepareSession(start, {demoCommand, reserve}),
      });
  if (own) process.on('exit', () => own.killNow());
  const {connect, end} = createEditorAgent(editorServices(given, paths, own));
  const connection = connect(editorStream({input, output}));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => connection.close());
  await connection.closed;
  await end();
  await own?.end();
  log.flush();
  return 0;
}
