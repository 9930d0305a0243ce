import type {AgentCapabilities} from '@agentclientprotocol/sdk/unstable';
import type {InitializeResponse} from '../../session/events.ts';
import {duration} from '../../text/format.ts';
import {attempt} from '../attempt.ts';
import {notTried, told, type Check} from '../check.ts';
import type {Probe} from '../examination.ts';
import {OFFER, type Life} from '../life.ts';

/** "Initialization": the protocol's version, who the agent is and what it can do. */
export const initialize: Probe = async (examination) => {
  const {life} = examination.found;
  if (!life) return [];
  const {check, value} = await attempt(examination, {
    id: 'initialize',
    name: 'initialize',
    advertised: 'always',
    method: 'initialize',
    work: () => life.connection.initialize(OFFER),
    judge: (response) => ({note: noteOn(response, life)}),
  });
  if (!value) return [check];
  examination.found.initialized = value;
  return [check, servers(value.agentCapabilities)];
};

function noteOn({protocolVersion, agentInfo}: InitializeResponse, life: Life): string {
  const firstByte = life.firstByteMs();
  return [
    `version ${protocolVersion} of the protocol`,
    agentInfo ? `${agentInfo.title ?? agentInfo.name} ${agentInfo.version}` : 'it does not tell its name',
    firstByte === undefined ? undefined : `first byte ${duration(firstByte)} after the start`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** What takes servers to be tried, which nobody has at hand. */
function servers({mcpCapabilities}: AgentCapabilities = {}): Check {
  const names = (['http', 'sse'] as const).filter((name) => mcpCapabilities?.[name]);
  const subject = {id: 'mcp', name: 'MCP servers over the network', advertised: told(names.length > 0)};
  return notTried(subject, names.join(', '));
}
