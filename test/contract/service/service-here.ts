import {onTestFinished, vi} from 'vitest';
import {prepareSession} from '../../../src/modes/start/prepared-session.ts';
import {startService} from '../../../src/service/server.ts';
import {servicePlace} from '../../../src/service/socket-place.ts';
import {startAgentHere} from '../../support/agent-here.ts';
import {DEMO} from '../../support/driver/lend-process.ts';
import {orThrow} from './open-service.ts';

/** Starts the background service in the process of the test, which has its environment until the test ends, and so have the sessions. */
export async function startServiceHere(state: string, env: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const service = orThrow(
    await startService({
      socket: orThrow(servicePlace(state)).socket,
      log: () => undefined,
      startAgent: startAgentHere,
      prepare: (wanted, reserve) => prepareSession(wanted, {demoCommand: DEMO, reserve}),
      lingerMs: 60_000,
      idleMs: 3_600_000,
      maxUnread: 10_000,
    }),
  );
  onTestFinished(() => service.end());
  return service;
}
