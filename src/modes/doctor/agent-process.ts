import {startAgent} from '../../agents/launch.ts';
import {connect, translateTransport} from '../../protocol/connect.ts';
import type {ClientOffer} from '../../protocol/connection.ts';
import type {ClientHandlers, PermissionRequest} from '../../protocol/handlers-interface.ts';
import {stdioTransport} from '../../protocol/transport.ts';
import type {WireEvent} from '../../recording/format.ts';
import type {Result} from '../../shared/failure.ts';
import {withTimeLimit} from './attempt.ts';
import type {ExaminationOptions, Examination, AgentRun} from './examination.ts';
import {createUpdatesLog} from './updates-log.ts';

/** The doctor offers neither files nor commands, so that the agent can change nothing through it. */
export function doctorOffer({protocolVersion}: Pick<ExaminationOptions, 'protocolVersion'>): ClientOffer {
  return {fs: false, terminal: false, ...(protocolVersion && {protocolVersion})};
}

/** Starts the agent. Its requests are refused, and its updates are logged. */
export async function startAgentRun(
  options: ExaminationOptions,
  onWire: (event: WireEvent) => void,
): Promise<Result<AgentRun>> {
  const {agent, cwd, version, startAgent: start = startAgent} = options;
  const startedAt = performance.now();
  const launched = await start(agent, {cwd, sandbox: options.sandbox, onEvent: onWire});
  if (!launched.ok) return launched;
  const process = launched.value;
  const updatesLog = createUpdatesLog();
  let firstByteAt: number | undefined;

  const direct = 'transport' in process ? process.transport : stdioTransport(process);
  const transport = await translateTransport(direct, options);
  const handlers: ClientHandlers = {
    sessionUpdate: updatesLog.add,
    requestPermission: ({request}) => Promise.resolve(refusal(request)),
  };
  const connection = connect(transport, handlers, {
    clientInfo: {name: 'acp-tui', title: 'acp-tui doctor', version},
    command: agent.label,
    onWire(message) {
      if (message.direction === 'from_agent') firstByteAt ??= performance.now();
      onWire({kind: 'message', pid: process.pid, ...message});
    },
  });

  return {
    ok: true,
    value: {
      process,
      connection,
      updatesLog,
      firstByteMs: () => (firstByteAt === undefined ? undefined : firstByteAt - startedAt),
      async end() {
        connection.close();
        await process.stop();
      },
    },
  };
}

function refusal({options}: PermissionRequest['request']) {
  const reject = options.find(({kind}) => kind === 'reject_once');
  return {
    outcome: reject
      ? ({outcome: 'selected', optionId: reject.optionId} as const)
      : ({outcome: 'cancelled'} as const),
  };
}

/** Starts another process of the agent and initializes it. */
export async function openAgentRun({start, options}: Examination): Promise<Result<AgentRun>> {
  options.onProgress('another process');
  const started = await start();
  if (!started.ok) return started;
  const {connection} = started.value;
  const initialized = await withTimeLimit(connection.initialize(doctorOffer(options)), {
    method: 'initialize',
    ...options,
  });
  if (!initialized.ok) return initialized;
  if (options.authMethod === undefined) return started;
  const signedIn = await withTimeLimit(connection.authenticate(options.authMethod), {
    method: 'authenticate',
    ...options,
  });
  return signedIn.ok ? started : signedIn;
}
