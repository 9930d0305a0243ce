import {once} from 'node:events';
import {expect} from 'vitest';
import {runHere, startProgram} from '../../../support/program/run-program.ts';
import {openRemote, token} from '../../remote/open-remote.ts';
import {AGENT, testWays, WAYS} from './agents.ts';
import {here, makeRepository, openEditorThere, type Place} from './place.ts';

testWays(WAYS.commands, {
  '`-p`': (place, option) => here(place, '-p', 'go', ...AGENT, ...option),
  '`-p -w`'(place, option) {
    makeRepository(place);
    return here(place, '-p', 'go', '-w', ...AGENT, ...option);
  },
  '`acp-tui compare`'(place, option) {
    makeRepository(place);
    return here(place, 'compare', '--with', 'spy,demo', ...option, 'go');
  },
  async '`acp-tui acp`, `session/new`'(place, option) {
    const {open} = await openEditorThere(place, [...AGENT, ...option]);
    await open();
  },
  '`acp-tui serve`': served,
  '`acp-tui doctor`': (place, option) => here(place, 'doctor', ...AGENT, ...option),
});

/** The agent is started when a client connects. */
async function served({cwd, env}: Place, option: readonly string[]): Promise<void> {
  const args = ['serve', ...AGENT, ...option];
  const where = {cwd, env: {...env, ACP_TUI_SERVE_TOKEN: token}};
  if (option.length > 0) {
    expect(await runHere(args, where)).toMatchObject({exitCode: 2});
    return;
  }
  const {child, stdout} = startProgram(args, where);
  while (!stdout().includes('Token')) await once(child.stdout, 'data');
  const [, address = ''] = /at (ws:\S+) /.exec(stdout()) ?? [];
  await openRemote(address, {token}, {hasUser: false});
}
