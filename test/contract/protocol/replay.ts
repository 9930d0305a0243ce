import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {RequestPermissionResponse} from '@agentclientprotocol/sdk/unstable';
import {connect} from '../../../src/protocol/connect.ts';
import type {PermissionRequest} from '../../../src/protocol/handlers-interface.ts';
import type {Result} from '../../../src/shared/failure.ts';
import type {Update} from '../../../src/session/events.ts';
import {lineTransport} from '../../support/program/line-transport.ts';

export const wires = join(import.meta.dirname, '../../../fixtures/wire');

export interface RecordedMessage {
  readonly d: '<' | '>';
  readonly m: {
    readonly id?: string | number;
    readonly method?: string;
    readonly params?: Record<string, unknown>;
    readonly result?: Record<string, unknown>;
    readonly error?: unknown;
  };
}

/** The client's actions, in order. */
export type ClientAction =
  | {readonly what: 'asked'; readonly method: string; readonly params: Record<string, unknown>}
  | {readonly what: 'result'; readonly method: string; readonly result: Result<unknown>}
  | {readonly what: 'update'; readonly sessionId: string; readonly update: Update}
  | {readonly what: 'permission'; readonly asked: PermissionRequest};

export function readWire(file: string): RecordedMessage[] {
  const lines = readFileSync(join(wires, file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedMessage);
}

/** Plays a recording against a connection: it sends the recorded client's requests, and gets the agent's messages. */
export async function replay(
  recording: readonly RecordedMessage[],
): Promise<{actions: ClientAction[]; log: string[]}> {
  const actions: ClientAction[] = [];
  const log: string[] = [];
  const answers = recording.flatMap(({d, m}) => (d === '>' && m.result?.['outcome'] ? [m.result] : []));
  const transport = lineTransport();
  const connection = connect(
    transport,
    {
      sessionUpdate: (sessionId, update) => void actions.push({what: 'update', sessionId, update}),
      requestPermission(asked) {
        actions.push({what: 'permission', asked});
        return Promise.resolve(answers.shift() as unknown as RequestPermissionResponse);
      },
      readTextFile: () => Promise.resolve({content: ''}),
      writeTextFile: () => Promise.resolve({}),
    },
    {
      clientInfo: {name: 'replay', version: '0'},
      log: (level, text) => void (level === 'debug' || log.push(text)),
    },
  );

  const ask: Record<string, (params: Record<string, unknown>) => Promise<Result<unknown>>> = {
    initialize: () => connection.initialize({fs: true, terminal: true}),
    authenticate: ({methodId}) => connection.authenticate(methodId as string),
    'session/new': ({cwd}) =>
      connection.newSession({cwd: cwd as string, additionalDirectories: [], mcpServers: []}),
    'session/prompt': ({sessionId, prompt}) => connection.prompt(sessionId as string, prompt as []),
    'session/set_mode': ({sessionId, modeId}) => connection.setMode(sessionId as string, modeId as string),
    'session/set_model': ({sessionId, modelId}) =>
      connection.setModel(sessionId as string, modelId as string),
    'session/set_config_option': ({sessionId, configId, value}) =>
      connection.setConfigOption(sessionId as string, configId as string, value as string),
  };

  /** The IDs of the connection's requests, by those of the recording. */
  const ids = new Map<unknown, unknown>();
  const asked: Promise<unknown>[] = [];
  for (const {d, m} of recording) {
    const {id, method = '', params = {}} = m;
    if (d === '>' && ask[method]) {
      const sent = transport.nextSent();
      actions.push({what: 'asked', method, params});
      asked.push(ask[method](params).then((result) => actions.push({what: 'result', method, result})));
      ids.set(id, (JSON.parse(await sent) as {id: unknown}).id);
    } else if (d === '<' && m.method !== undefined) transport.receive(JSON.stringify(m));
    else if (d === '<' && ids.has(id)) transport.receive(JSON.stringify({...m, id: ids.get(id)}));
  }
  await Promise.all(asked);
  await transport.drained();
  connection.close();
  return {actions, log};
}
