import {once} from 'node:events';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {temporaryFolder} from '../folders/temporary-folder.ts';

/** A session bus that accepts, and never answers; `connected` resolves once a program waits for it. */
export async function silentBus() {
  const bus = join(temporaryFolder(), 'bus');
  const server = createServer().listen(bus);
  const connected = once(server, 'connection');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {bus, connected};
}
