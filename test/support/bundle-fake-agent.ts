import {mkdirSync, renameSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {build} from 'rolldown';
import {FAKE_AGENT} from './fake-agent.ts';

/**
 * Bundles the fake agent before a run of vitest: tests start it a thousand times, and as one JavaScript file it starts in half the time.
 * It is replaced at once, since another run may be using it.
 */
export default async function bundleFakeAgent(): Promise<void> {
  const {output} = await build({
    input: path.resolve(import.meta.dirname, '../../fixtures/fake-agent/main.ts'),
    platform: 'node',
    write: false,
    output: {format: 'esm', codeSplitting: false},
  });
  const written = `${FAKE_AGENT}.${process.pid}`;
  mkdirSync(path.dirname(FAKE_AGENT), {recursive: true});
  writeFileSync(written, output[0].code);
  renameSync(written, FAKE_AGENT);
}
