import {stateWord} from '../../../session/labels/session-states.ts';
import {keepHeapSmall, tuneEngine} from '../../start/engine.ts';
import {prepareSession} from '../../start/prepared-session.ts';
import type {AgentStarts} from '../../../agents/launch.ts';
import {watchExitSignals} from '../../start/shutdown.ts';
import {quietConsole} from '../../../protocol/quiet-console.ts';
import type {RunningSession} from '../../../service/messages.ts';
import {startService} from '../../../service/server.ts';
import {findService, type ServiceClient} from '../../../service/service-client.ts';
import {servicePlace} from '../../../service/socket-place.ts';
import {takeLock} from '../../../service/lock.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import {errorStack} from '../../../shared/failure.ts';
import {createLog} from '../../../storage/log.ts';
import {findPaths, logFile} from '../../../shared/files/paths.ts';
import {effectiveSettings} from '../../../settings/schema/settings-schema.ts';
import {readSettings} from '../../../settings/settings.ts';
import {jsonText} from '../../../text/json.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {openSubcommandIo, printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';
import type {ServiceCommand} from './service-arguments.ts';
import {printServiceLog, SERVICE_STARTS} from './service-log.ts';
import {stopSession} from '../sessions/running-session.ts';

/** How long the service stays without a session, in milliseconds. */
const LINGER_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The number of events that may wait for a client. */
const MAX_UNREAD = 100_000;

/** Runs `acp-tui service` in this process; resolves to the exit code. */
export async function serviceRun(command: ServiceCommand, starts: AgentStarts): Promise<number> {
  const io = openSubcommandIo();
  if (command.kind === 'run') return io.end(await serve(io, starts));
  const paths = findPaths();
  if (command.kind === 'logs') return io.end(await printServiceLog(logFile(paths), command, io));
  if (command.kind === 'stop' && command.id !== undefined)
    return io.end(await stopSession(command.id, {...io, state: paths.state}));
  const found = await findService(paths.state, {toEnd: command.kind === 'stop'});
  if (!found.ok) return io.end(printFailure(io.stderr, found.failure));
  const service = found.value;
  if (!service) {
    const asJson = command.kind === 'status' && command.json;
    io.stdout.write(asJson ? statusJson(null, []) : 'Nothing runs in the background.\n');
    return io.end(0);
  }
  if (command.kind === 'stop') await service.end();
  else await status(service, command, io);
  service.close();
  return io.end(0);
}

async function status(
  service: ServiceClient,
  {json}: {readonly json: boolean},
  {stdout}: SubcommandIo,
): Promise<void> {
  const sessions = await service.list();
  if (json) stdout.write(statusJson(service.pid, sessions));
  else if (sessions.length === 0) stdout.write(`The service (process ${service.pid}) has no sessions.\n`);
  else stdout.write(sessions.map(lineOf).join(''));
}

function statusJson(pid: number | null, sessions: readonly RunningSession[]): string {
  return `${jsonText({pid, sessions}, 2)}\n`;
}

function lineOf({id, doing, agent, title, cwd, asks}: RunningSession): string {
  const name = title === '' ? 'no prompt yet' : title;
  return `${id}  ${stateWord(doing).padEnd(9)}  ${sanitizeLine(`${name} (${agent}, ${cwd})${asks === undefined ? '' : `: ${asks}`}`)}\n`;
}

/** Is the service until it has been without a session for a while, or a signal ends it. */
async function serve(io: SubcommandIo, {demoCommand, startAgent}: AgentStarts): Promise<number> {
  tuneEngine();
  keepHeapSmall();
  const paths = findPaths();
  const place = servicePlace(paths.state);
  if (!place.ok) return printFailure(io.stderr, place.failure);
  const lock = takeLock(place.value.lock);
  if (!lock) {
    io.stderr('acp-tui: The service runs already.\n');
    return 1;
  }
  const file = logFile(paths);
  const log = createLog({file, level: 'info', env: process.env, now: Date.now});
  quietConsole(log.write);
  log.write('info', SERVICE_STARTS);
  const started: {readonly killNow: () => void}[] = [];
  const {wanted} = watchExitSignals({
    killNow: () => started.forEach((each) => each.killNow()),
    log: log.write,
    logFile: file,
    report: (error, {doing}) => log.write('error', `${doing}: ${errorStack(error)}`),
  });
  // Its folder can be removed.
  process.chdir(paths.state);
  const service = await startService({
    socket: place.value.socket,
    log: log.write,
    startAgent,
    prepare: (start, reserve) => prepareSession(start, {demoCommand, reserve}),
    lingerMs: LINGER_MS,
    idleMs: effectiveSettings(readSettings(paths.config).settings).background.idleHours * HOUR_MS,
    maxUnread: MAX_UNREAD,
  });
  if (!service.ok) {
    // Nobody reads the standard error of a service that a window starts.
    log.write('error', failureSentence(service.failure));
    log.flush();
    lock.release();
    return printFailure(io.stderr, service.failure);
  }
  const running = service.value;
  started.push(running);
  const exitCode = await Promise.race([wanted, running.ended.then(() => 0)]);
  await running.end();
  lock.release();
  log.flush();
  return exitCode;
}
