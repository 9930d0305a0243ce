import {readFileSync} from 'node:fs';
import {getCACertificates, setDefaultCACertificates} from 'node:tls';
import {beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest';
import type {SessionState} from '../../../src/session/state.ts';
import {authority, serveProxy} from '../../support/servers/servers.ts';
import {faultyNetwork} from './faulty-network.ts';
import {openRemote, scriptedBridge} from './open-remote.ts';
import {serveAgent} from '../../support/servers/remote-server.ts';

beforeAll(() => {
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(authority, 'utf8')]);
});

const isBack = ({connection, entries}: SessionState) =>
  connection.kind === 'ready' && JSON.stringify(entries).includes('Reconnected to the agent.');
const isRepeated = ({connection}: SessionState) =>
  connection.kind === 'starting' && (connection.attempt ?? 0) > 1;

function setProxy(port: number): void {
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${port}`);
  vi.stubEnv('NO_PROXY', '');
  onTestFinished(() => void vi.unstubAllEnvs());
}

async function encrypted(kind: 'ws' | 'http') {
  const served = await serveAgent(scriptedBridge('echo'), {tls: true});
  const network = await faultyNetwork(served.port);
  const opened = await openRemote(network.through(served[kind]));
  return {...opened, network};
}

describe.each(['ws', 'http'] as const)('an encrypted connection over %s that is lost', (kind) => {
  test('is not made again to a server with an unknown certificate', async () => {
    const {until, network} = await encrypted(kind);
    const other = await serveAgent(scriptedBridge('echo'), {tls: 'self-signed'});
    network.leadTo(other.port);
    network.cut();
    const {connection} = await until((state) => state.connection.kind === 'failed', 'the failure');
    expect(connection).toMatchObject({failure: {kind: 'remote', reason: 'certificate'}});
    expect(other.requests).toEqual([]);
  });

  test('is tried again while something else answers', async () => {
    const {until, network} = await encrypted(kind);
    const plain = await serveAgent(scriptedBridge('echo'));
    const served = await serveAgent(scriptedBridge('echo'), {tls: true});
    network.leadTo(plain.port);
    network.cut();
    await until(isRepeated, 'another attempt');
    network.leadTo(served.port);
    await until(isBack, 'the reconnection');
    expect(plain.requests).toEqual([]);
  });

  test('is tried again while the proxy refuses', async () => {
    const working = await serveProxy();
    setProxy(working.port);
    const {until, network} = await encrypted(kind);
    const refusing = await serveProxy({refuses: 502});
    setProxy(refusing.port);
    network.cut();
    await until(isRepeated, 'another attempt');
    expect(refusing.asked.length).toBeGreaterThan(0);
    setProxy(working.port);
    await until(isBack, 'the reconnection');
  });
});
