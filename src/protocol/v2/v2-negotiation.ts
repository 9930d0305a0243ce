import {RequestError} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

const UNSUPPORTED_VERSION = -32022;

/** True for the error of an agent that does not know version 2, but names version 1. */
export function supportsVersion1(error: unknown): boolean {
  if (!(error instanceof RequestError) || error.code !== UNSUPPORTED_VERSION) return false;
  const supported = isJsonObject(error.data) ? error.data['supported'] : undefined;
  return Array.isArray(supported) && supported.includes(1);
}

/** What version the agent speaks, as it answers to `initialize`. */
export interface Negotiation {
  /** Undefined before that. */
  version: 1 | 2 | undefined;
  /** Resolves to the response of an agent with another version. */
  readonly otherVersion: Promise<object>;
  /** Returns what version 2's client gets of a message: nothing of a first response that would make it close the connection. */
  readonly forClient: (message: JsonObject) => JsonObject | undefined;
}

export function createNegotiation(): Negotiation {
  const other = Promise.withResolvers<object>();
  const negotiation: Negotiation = {
    version: undefined,
    otherVersion: other.promise,
    forClient(message) {
      const isResult = 'result' in message && !isJsonObject(message['error']);
      if (negotiation.version !== undefined || !isResult) return message;
      const result = isJsonObject(message['result']) ? message['result'] : {};
      const protocolVersion = versionIn(result);
      negotiation.version = protocolVersion === 1 ? 1 : 2;
      if (protocolVersion === 2) return {...message, result: {...result, info: infoIn(result)}};
      other.resolve({...result, protocolVersion});
      return undefined;
    },
  };
  return negotiation;
}

/** An agent that repeats the number it was offered may still answer in the form of version 1, which it speaks. */
function versionIn({protocolVersion, info, capabilities, agentCapabilities}: JsonObject): unknown {
  const hasForm2 = info !== undefined || capabilities !== undefined;
  return protocolVersion === 2 && !hasForm2 && isJsonObject(agentCapabilities) ? 1 : protocolVersion;
}

/** Version 2 requires what version 1 does not. */
function infoIn({info}: JsonObject): JsonObject {
  const {name, version, ...others} = isJsonObject(info) ? info : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {...others, name: text(name), version: text(version)};
}
