import type {ServerResponse} from 'node:http';
import {tarGz} from '../servers/archives.ts';
import {serve} from '../servers/servers.ts';

export interface HeldRegistry {
  /** The registry's URL. */
  readonly address: string;
  /** The ID of its only agent. */
  readonly archive: string;
  /** Of the archive, in bytes. */
  readonly size: number;
  /** Sends the rest of the archive, after its first 64 bytes were requested. */
  readonly letGo: () => Promise<void>;
}

/** A registry with one agent, whose archive stalls after 64 bytes. It contains `script` as the program. */
export async function serveHeldRegistry(entry: object, script: string): Promise<HeldRegistry> {
  const packed = tarGz([{path: 'agent', content: script, mode: 0o755}]);
  const held = Promise.withResolvers<ServerResponse>();
  const address = await serve((request, response) => {
    if (request.url === '/agent.tar.gz') {
      response.writeHead(200, {'content-length': packed.length});
      if (request.method === 'HEAD') return void response.end();
      response.write(packed.subarray(0, 64));
      return held.resolve(response);
    }
    const target = {archive: `${address}/agent.tar.gz`, cmd: './agent', args: ['--acp']};
    const binary = {'linux-x86_64': target, 'linux-aarch64': target, 'darwin-aarch64': target};
    response.end(JSON.stringify({agents: [{...entry, distribution: {binary}}]}));
  });
  return {
    address: `${address}/registry.json`,
    archive: `${address}/agent.tar.gz`,
    size: packed.length,
    letGo: async () => void (await held.promise).end(packed.subarray(64)),
  };
}
