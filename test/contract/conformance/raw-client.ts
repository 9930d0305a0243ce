import type {AnyMessage, Stream} from '@agentclientprotocol/sdk/unstable';
import {expect, onTestFinished} from 'vitest';
import {isJsonObject, type JsonObject} from '../../../src/text/json.ts';
import type {WireMessage} from './schema-check.ts';

export type Version = 1 | 2;

const info = {name: 'test', version: '1'};

/** What a client says of itself in each version. */
const INITIALIZE: Readonly<Record<Version, JsonObject>> = {
  1: {
    protocolVersion: 1,
    clientInfo: info,
    clientCapabilities: {
      fs: {readTextFile: true, writeTextFile: true},
      terminal: true,
      elicitation: {form: {}, url: {}},
      session: {configOptions: {boolean: {}}},
    },
  },
  2: {protocolVersion: 2, info, capabilities: {elicitation: {form: {}, url: {}}}},
};

/** The answers of a client that allows everything and fills in no form. */
function answerTo({method, params}: JsonObject): JsonObject {
  const {options} = isJsonObject(params) ? params : {};
  const [first] = Array.isArray(options) ? options.filter(isJsonObject) : [];
  switch (method) {
    case 'session/request_permission':
      return {outcome: {outcome: 'selected', optionId: first?.['optionId']}};
    case 'elicitation/create':
      return {action: 'decline'};
    case 'fs/read_text_file':
      return {content: 'first line\na few lines\n'};
    case 'terminal/create':
      return {terminalId: 't'};
    case 'terminal/wait_for_exit':
      return {exitCode: 0, signal: null};
    case 'terminal/output':
      return {output: 'done\n', truncated: false};
    default:
      return {};
  }
}

/** A client that keeps every message, and knows no more of a version than its names. */
export function rawClient({readable, writable}: Stream, version: Version) {
  const messages: WireMessage[] = [];
  const writer = writable.getWriter();
  let ids = 0;

  async function send(message: JsonObject): Promise<void> {
    messages.push({from: 'client', message});
    await writer.write({jsonrpc: '2.0', ...message} as unknown as AnyMessage);
  }

  async function read(): Promise<void> {
    for await (const sent of readable) {
      const message: JsonObject = {...sent};
      messages.push({from: 'agent', message});
      if (typeof message['method'] === 'string' && message['id'] !== undefined)
        await send({id: message['id'], result: answerTo(message)});
    }
  }
  void read().catch(() => undefined);
  onTestFinished(() => void writer.close().catch(() => undefined));

  const responseTo = (id: number) =>
    messages.find(({from, message}) => from === 'agent' && message['id'] === id && !('method' in message))
      ?.message;

  async function request(method: string, params: JsonObject): Promise<JsonObject> {
    const id = ids++;
    await send({id, method, params});
    await expect.poll(() => responseTo(id), {timeout: 20_000}).toBeDefined();
    return responseTo(id) ?? {};
  }

  const updates = () =>
    messages
      .filter(({message}) => message['method'] === 'session/update')
      .map(({message: {params}}) => (isJsonObject(params) ? params['update'] : undefined))
      .filter(isJsonObject);
  const ends = () =>
    updates().filter((update) => update['sessionUpdate'] === 'state_update' && update['state'] === 'idle');

  return {
    messages,
    request,
    notify: (method: string, params: JsonObject) => send({method, params}),
    updates,
    /** The text of the agent's messages. */
    said: () =>
      updates()
        .filter(({sessionUpdate}) => sessionUpdate === 'agent_message_chunk')
        .map(({content}) => (isJsonObject(content) ? String(content['text']) : ''))
        .join(''),
    initialize: () => request('initialize', INITIALIZE[version]),
    /** Sends a prompt, and returns how its turn ended. */
    async prompt(sessionId: unknown, text: string): Promise<JsonObject> {
      const before = ends().length;
      const {result, error} = await request('session/prompt', {sessionId, prompt: [{type: 'text', text}]});
      if (isJsonObject(error)) return {error};
      if (version === 1) return isJsonObject(result) ? result : {};
      await expect.poll(() => ends().length, {timeout: 20_000}).toBeGreaterThan(before);
      return ends()[before] ?? {};
    },
  };
}
