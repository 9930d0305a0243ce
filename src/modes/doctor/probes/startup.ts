import type {AgentCapabilities} from '@agentclientprotocol/sdk/unstable';
import {clientCapabilities} from '../../../protocol/capabilities.ts';
import {fieldsOf} from '../../../recording/exchanges.ts';
import type {InitializeResponse} from '../../../session/events.ts';
import type {Failure, Result} from '../../../shared/failure.ts';
import {duration} from '../../../text/format.ts';
import {doctorOffer} from '../agent-process.ts';
import {attempt, type Verdict} from '../attempt.ts';
import {type Probe, skipCheck, yesOrNo, type Check, type AgentRun} from '../examination.ts';

/** Starts the agent. */
export const launch: Probe = async (examination) => {
  const {command, args} = examination.options.agent;
  const {check, value} = await attempt(examination, {
    id: 'launch',
    name: 'starting',
    advertised: 'always',
    method: 'startup',
    work: () => examination.start(),
    judge: () => ({note: [command, ...args].join(' ')}),
  });
  if (value) examination.found.run = value;
  return [check];
};

/** "Initialization": the protocol version, the agent's name and capabilities. */
export const initialize: Probe = async (examination) => {
  const {run} = examination.found;
  if (!run) return [];
  const {check, value} = await attempt(examination, {
    id: 'initialize',
    name: 'initialize',
    advertised: 'always',
    method: 'initialize',
    work: () => run.connection.initialize(doctorOffer(examination.options)),
    judge: (response) => ({note: noteOn(response, {run, offered: examination.options.protocolVersion ?? 1})}),
  });
  if (!value) return [check];
  examination.found.initialized = value;
  return [check, servers(value.agentCapabilities)];
};

function noteOn(
  {protocolVersion, agentInfo}: InitializeResponse,
  {run, offered}: {readonly run: AgentRun; readonly offered: number},
): string {
  const firstByte = run.firstByteMs();
  return [
    `protocol version ${protocolVersion}${protocolVersion === offered ? '' : ` (${offered} was offered)`}`,
    agentInfo ? `${agentInfo.title ?? agentInfo.name} ${agentInfo.version}` : 'it does not report its name',
    firstByte === undefined ? undefined : `first byte after ${duration(firstByte)}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** MCP transports over the network, which are not tested. */
function servers({mcpCapabilities}: AgentCapabilities = {}): Check {
  const names = (['http', 'sse'] as const).filter((name) => mcpCapabilities?.[name]);
  const subject = {id: 'mcp', name: 'MCP servers over the network', advertised: yesOrNo(names.length > 0)};
  return skipCheck(subject, names.join(', '));
}

/** Not a protocol version any time soon; the largest number that the schema allows. */
const TOO_NEW = 65_535;

/** "Version negotiation": an agent responds to an unknown version with its latest one. */
export const negotiation: Probe = async (examination) => {
  if (!examination.found.initialized) return [];
  const started = await examination.start();
  if (!started.ok) return [];
  const {connection, end} = started.value;
  const {version} = examination.options;
  const {check} = await attempt(examination, {
    id: 'negotiation',
    name: 'a newer protocol version',
    advertised: 'always',
    method: 'initialize',
    work: async () =>
      spoken(
        await connection.request('initialize', {
          protocolVersion: TOO_NEW,
          clientCapabilities: clientCapabilities(doctorOffer(examination.options)),
          clientInfo: {name: 'acp-tui', title: 'acp-tui doctor', version},
        }),
      ),
    judge: negotiationVerdict,
  });
  await end();
  return [check];
};

/** An error that lists the versions is a draft of the protocol, and counts as a response. */
function spoken(result: Result<unknown>): Result<unknown> {
  const failure: Failure | undefined = result.ok ? undefined : result.failure;
  return failure?.kind === 'protocol_version' ? {ok: true, value: {protocolVersion: failure.theirs}} : result;
}

function negotiationVerdict(answer: unknown): Verdict {
  const {protocolVersion} = fieldsOf(answer);
  if (protocolVersion === TOO_NEW) return {wrong: `it claims to speak version ${TOO_NEW}`};
  return Number.isInteger(protocolVersion)
    ? {note: `it answers with version ${String(protocolVersion)}`}
    : {wrong: 'it answers without a version'};
}
