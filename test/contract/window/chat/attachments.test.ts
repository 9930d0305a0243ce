import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openReady,
  temporaryFolder,
  untilTurnsEnd,
  type Chat,
  newHome,
} from '../../../support/driver/chat.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const takesAll = fakeAgent(
  'mirror',
  JSON.stringify({promptCapabilities: {embeddedContext: true, image: true}}),
);
const takesNothing = fakeAgent('mirror');

/** A project with some files. */
function project(): {readonly home: string; readonly cwd: string} {
  const home = newHome();
  const cwd = path.join(home, 'project');
  mkdirSync(path.join(cwd, 'src'), {recursive: true});
  mkdirSync(path.join(cwd, 'my files'));
  writeFileSync(path.join(cwd, 'src/menu.ts'), 'one\ntwo\nthree\n');
  writeFileSync(path.join(cwd, 'my files/shot.png'), PNG);
  return {home, cwd};
}

/** What the agent received, without the line breaks of the screen. */
function got(chat: Chat): string {
  return chat.history().replaceAll('\n', '');
}

/** Everything stored of unsent text. */
function stored({home}: Chat): string {
  const folder = path.join(home, '.local/state/acp-tui');
  const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  return files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1')).join('\n');
}

test('a file selected with @ is one unit in the prompt, survives a kill, and its content is sent', async () => {
  const place = project();
  const first = await openReady({...place, agent: takesAll, ownProcess: true});
  first.type('see @men');
  await first.sees('❯ src/menu.ts');
  first.type(':2-3');
  await first.sees('see @men:2-3');
  await first.sees('❯ src/menu.ts');
  first.press('tab');
  await first.sees('see [src/menu.ts, lines 2-3]');
  await first.until(
    () => stored(first).includes('"lines":{"first":2,"last":3}'),
    'for the file to be stored',
  );
  first.signal('SIGKILL');
  await first.ended();

  const chat = openChat({...place, agent: takesAll});
  await chat.sees('see [src/menu.ts, lines 2-3]');
  await chat.sees(/Fake agent/);
  chat.press('enter');
  await untilTurnsEnd(chat);
  await chat.hasSeen('[src/menu.ts:2-3, 10 B]');
  expect(got(chat)).toContain(String.raw`"text":"two\nthree\n"`);
});

test('dropped files become units; an image is sent as one and shown with its name, type and size', async () => {
  const place = project();
  const chat = await openReady({...place, agent: takesAll});
  chat.paste(`${place.cwd.replaceAll(' ', '\\ ')}/my\\ files/shot.png `);
  await chat.sees('[my files/shot.png, image, 8 B]');
  chat.press('enter');
  await untilTurnsEnd(chat);
  await chat.hasSeen('[shot.png, image/png, 8 B]');
  expect(got(chat)).toContain(`"data":"${PNG.toString('base64')}"`);
});

test('names with blanks that no shell separates are attached as each terminal writes them', async () => {
  const place = project();
  const names = ['Screenshot at 9.41.00\u202fAM.png', 'a\u00a0b.png', "it's\u3000c.png"];
  for (const name of names) writeFileSync(path.join(place.cwd, name), PNG);
  const paths = names.map((name) => path.join(place.cwd, name));
  const chat = await openReady({...place, agent: takesAll});
  for (const pasted of [
    paths.map((each) => each.replaceAll(/[ ']/g, String.raw`\$&`)).join(' '),
    paths.map((each) => each.replaceAll(' ', String.raw`\ `)).join(' '),
    paths.map((each) => `file://${encodeURI(each)}\r\n`).join(''),
    `${paths.join(' ')} `,
    paths.join('\n'),
  ]) {
    chat.paste(pasted);
    await chat.sees(names.map((name) => `[${name}, image, 8 B]`).join(' '));
    chat.press('ctrl+c');
    await chat.noLongerSees(', image, 8 B]');
  }
  chat.paste(paths[0] ?? '');
  await chat.sees(`[${names[0]}, image, 8 B]`);
  chat.press('enter');
  await untilTurnsEnd(chat);
  await chat.hasSeen('41.00%E2%80%AFAM.png"}]');
  expect(got(chat)).toContain(`"data":"${PNG.toString('base64')}"`);
});

test('a deleted file keeps its prompt from being sent, and says so', async () => {
  const place = project();
  const chat = await openReady({...place, agent: takesNothing});
  chat.type('see @menu');
  await chat.sees('❯ src/menu.ts');
  chat.press('enter');
  await chat.sees('see [src/menu.ts, 14 B]');
  rmSync(path.join(place.cwd, 'src/menu.ts'));
  chat.press('enter');
  await chat.hasSeen('The prompt was not sent.');
  await chat.sees('paused  ');
  chat.press('up');
  await chat.sees('Editing queue');
  chat.press('enter');
  await chat.sees('see [src/menu.ts, 14 B]');
});

test('/add-dir adds a folder whose files are found; a missing clipboard is reported', async () => {
  const place = project();
  const other = temporaryFolder('other');
  writeFileSync(path.join(other, 'elsewhere.md'), '');
  const chat = await openReady({...place, agent: takesNothing});
  chat.type(`/add-dir ${other}`);
  await chat.sees(`/add-dir ${other}`);
  chat.press('enter');
  await chat.hasSeen('to the workspace: @ finds its files');
  chat.type('@elsewh');
  await chat.sees(`❯ ${other}/elsewhere.md`);
  chat.press('escape');
  await chat.noLongerSees(`❯ ${other}/elsewhere.md`);
  chat.press('ctrl+v');
  await chat.sees('No clipboard');
});
