import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as milliseconds} from 'node:timers/promises';
import {expect, onTestFinished, test, vi} from 'vitest';
import {commonOptions, runSchema} from '../../../src/cli/options.ts';
import {attachSession} from '../../../src/service/attached-session.ts';
import {connectService, findService} from '../../../src/service/service-client.ts';
import {servicePlace} from '../../../src/service/socket-place.ts';
import {quoteWord} from '../../../src/text/shell-quote.ts';
import {readEventFile, replay, sessionFile} from '../../../src/storage/sessions/event-file.ts';
import {processExists} from '../../../src/shared/processes/process-identity.ts';
import {PROGRAM} from '../../support/driver/lend-process.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {randomNumbers} from '../../support/folders/story.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {journalIn, orThrow, saidIn, windowOn} from './open-service.ts';

/** `npm run kill` uses a higher number. */
const COUNT = Number(process.env['KILLS'] ?? 2);
const FIRST_SEED = Number(process.env['KILL_SEED'] ?? 1);
const seeds = Array.from({length: COUNT}, (_, round) => FIRST_SEED + round);

test.each(seeds)(
  'what a window has shown is stored when the service is killed at any point (%s)',
  async (seed) => {
    const random = randomNumbers(seed);
    const home = temporaryFolder();
    const state = join(home, 'state');
    for (const name of ['CONFIG', 'STATE', 'DATA', 'CACHE'])
      vi.stubEnv(`ACP_TUI_${name}_DIR`, join(home, name.toLowerCase()));
    const program = {command: process.execPath, args: [PROGRAM, 'service', 'run']};
    const first = orThrow(await connectService(state, program));
    onTestFinished(() => end(state));
    const agent = [process.execPath, FAKE_AGENT, 'stories'].map((word) => quoteWord(word)).join(' ');
    const given = {...commonOptions(runSchema.parse({})), agent, cwd: temporaryFolder(), screen: undefined};
    const environment = process.env;
    const {id} = orThrow(await first.start({given, prompt: 'tell 1', environment}));
    const window = windowOn(orThrow(await attachSession(first, id, state)));
    const content = [{type: 'text' as const, text: 'for later'}];
    await window.actions.changeQueue({kind: 'submit', prompt: {text: 'for later', content}, place: 'last'});
    await milliseconds(random() * 1500);
    process.kill(first.pid, 'SIGKILL');
    await window.until(({connection}) => connection.kind === 'closed');

    const said = window.said();
    const file = sessionFile(state, id);
    const isSent = existsSync(file);
    const stored = isSent ? saidIn(await replay(orThrow(await readEventFile(file)))) : '';
    expect(isSent || JSON.stringify(journalIn(state)).includes('tell 1'), 'the prompt is stored').toBe(true);
    expect(stored.startsWith(said) || said.startsWith(stored), 'one story').toBe(true);
    expect(stored.length, 'all that was shown').toBeGreaterThanOrEqual(said.length);

    // The next one is not held up by what is left of it, and its sessions have all of theirs.
    const second = orThrow(await connectService(state, program));
    expect(second.pid).not.toBe(first.pid);
    expect(await second.list()).toEqual([]);
    const resume = {...given, resumeRequest: {which: 'named', id} as const};
    const resumed = isSent ? await second.start({given: resume, environment}) : undefined;
    expect(resumed?.ok).toBe(isSent ? true : undefined);
    expect(readdirSync(join(state, 'service')).toSorted()).toEqual(['owner.json', 'socket']);
  },
);

test.runIf(process.platform === 'linux')(
  'a service that is killed before it accepts a connection is gone, like one that has ended',
  async () => {
    const state = temporaryFolder();
    const {socket} = orThrow(servicePlace(state));
    const listens = `require('node:net').createServer().listen(${JSON.stringify(socket)}, () => console.log())`;
    const service = spawn(process.execPath, ['-e', listens], {stdio: ['ignore', 'pipe', 'inherit']});
    await once(service.stdout, 'data');
    const pid = service.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const found = findService(state);
    process.kill(pid, 'SIGKILL');
    // In the same turn of the event loop: the answer to the connection is read only in the next one.
    while (
      readdirSync(`/proc/${pid}/task`).length > 1 ||
      !/\) [XZ] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    );
    expect(await found).toEqual({ok: true, value: undefined});
  },
);

async function end(state: string): Promise<void> {
  const service = orThrow(await findService(state));
  await service?.end();
  await vi.waitUntil(() => !service || !processExists(service.pid), {timeout: 10_000});
}
