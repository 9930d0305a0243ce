import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {passiveOptions} from '../../../../src/cli/options.ts';
import {setUpRun} from '../../../../src/modes/start/run-setup.ts';
import {openFolderTrust} from '../../../../src/window/trust/folder-trust.ts';
import {wasTrusted} from '../../../../src/settings/trusted-folders.ts';
import {DEMO} from '../../../support/driver/lend-process.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {FIRST, openWindowIn} from '../../conversation/open-window.ts';

let state = '';

beforeEach(() => {
  state = temporaryFolder();
  vi.stubEnv('ACP_TUI_STATE_DIR', state);
  for (const name of ['CONFIG', 'DATA', 'CACHE']) vi.stubEnv(`ACP_TUI_${name}_DIR`, temporaryFolder());
  return () => vi.unstubAllEnvs();
});

/** A folder whose settings forbid this. */
function folderThatDenies(what: string): string {
  const folder = temporaryFolder();
  const hooks = {Stop: [{hooks: [{type: 'command', command: `check ${what}`}]}]};
  writeFileSync(join(folder, '.acp-tui.json'), JSON.stringify({permissions: {deny: [what]}, hooks}));
  return folder;
}

function trust(folder: string): void {
  const book = {useProject: () => {}};
  openFolderTrust({state, folder, permissions: book, mcp: book, hasUser: true})?.accept();
}

/** What a window that is started in a folder knows. */
async function windowIn(cwd: string) {
  const given = {...passiveOptions({}), agent: 'demo', cwd, mcpConfig: []};
  const setup = await setUpRun(given, {hasUser: true, isWindow: true, demoCommand: DEMO});
  onTestFinished(() => setup.close());
  const texts = (folder: string) => setup.permissions.rules(folder).map(({text}) => text);
  const ran = (folder: string) => setup.permissions.hooks(folder).map(({command}) => command);
  return {setup, texts, ran};
}

test('the settings of each folder that is trusted hold for the sessions there, and for no other', async () => {
  const [api, web] = [folderThatDenies('execute rm*'), folderThatDenies('execute git push*')];
  for (const folder of [api, web]) trust(folder);
  const {setup, texts, ran} = await windowIn(api);
  expect(setup.useFolder(web)).toEqual([]);
  expect([api, web].map(texts)).toEqual([['execute rm*'], ['execute git push*']]);
  expect([api, web].map(ran)).toEqual([['check execute rm*'], ['check execute git push*']]);
  expect(texts(temporaryFolder())).toEqual([]);
});

test('those that were accepted before hold when the file is changed or deleted, which is said', async () => {
  const [api, web] = [temporaryFolder(), folderThatDenies('execute git push*')];
  trust(web);
  const {setup, texts} = await windowIn(api);
  expect(setup.useFolder(web)).toEqual([]);
  const held = expect.stringContaining('you accepted before still hold') as string;
  writeFileSync(join(web, '.acp-tui.json'), '{"permissions": {"deny": ["fetch"]}}');
  expect(setup.useFolder(web)).toEqual([expect.stringContaining('ignored, not trusted yet.'), held]);
  rmSync(join(web, '.acp-tui.json'));
  expect(setup.useFolder(web)).toEqual([held]);
  expect(texts(web)).toEqual(['execute git push*']);
  expect(setup.useFolder(temporaryFolder())).toEqual([]);
});

test('those that are gone are forgotten only by a window of their folder, and others say so', async () => {
  const [api, web] = [temporaryFolder(), folderThatDenies('execute git push*')];
  trust(web);
  rmSync(join(web, '.acp-tui.json'));
  const gone = expect.stringContaining('that you trusted are gone') as string;
  const given = {...passiveOptions({}), agent: 'demo', cwd: web, mcpConfig: []};
  const ofService = await setUpRun(given, {hasUser: true, isOfWindow: true, demoCommand: DEMO});
  onTestFinished(() => ofService.close());
  expect((await windowIn(api)).setup.useFolder(web)).toEqual([gone]);
  expect(wasTrusted(state, web)).toBe(true);
  expect((await windowIn(web)).setup.problems).toEqual([gone]);
  expect(wasTrusted(state, web)).toBe(false);
  expect((await windowIn(api)).setup.useFolder(web)).toEqual([]);
});

test('those of a folder that is not trusted do not, which is said in a session that is opened there', async () => {
  const web = folderThatDenies('execute git push*');
  const {setup, texts} = await windowIn(temporaryFolder());
  const said = setup.useFolder(web);
  expect(said).toEqual([expect.stringContaining('.acp-tui.json of this folder: ignored, not trusted yet.')]);
  expect(texts(web)).toEqual([]);

  const window = await openWindowIn({useFolder: setup.useFolder}, 'echo');
  await window.converse(FIRST, 'one');
  const key = await window.openWith({cwd: web}, 'echo');
  expect(window.notices(key)).toEqual(said);
  expect(window.notices(await window.open('echo'))).toEqual([]);
});
