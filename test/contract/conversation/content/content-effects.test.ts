import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {dirname, extname, join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {createTab} from '../../../../src/app/initial.ts';
import {contentEffects, openContent} from '../../../../src/window/effects/content-effects.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {contentItems, type ContentItem} from '../../../../src/session/content/content-items.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {calls, opened, reduceUpdates} from '../../../support/session/build.ts';
import {openWindow} from '../../../support/window/app-window.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
const png = {type: 'image', mimeType: 'image/png', data: PNG.toString('base64')};

let cwd = '';
beforeEach(() => {
  cwd = realpathSync(temporaryFolder());
});

/** A session in its own folder whose tool call has these content blocks. */
function sessionWith(...blocks: readonly object[]): SessionState {
  const content = blocks.map((content) => ({type: 'content' as const, content: content as never}));
  return {...reduceUpdates(opened, calls('a', {content})), cwd};
}

interface Given {
  readonly agrees?: boolean;
  readonly foreground?: ConversationOptions['foreground'];
}

/** A window with that session, and what its effects do. */
function windowOf(session: SessionState, {agrees = true, foreground}: Given = {}) {
  const {state} = openWindow();
  const tab = createTab({key: 'main', agentLabel: 'x', session, approval: 'none', at: 0} as never);
  const hints: string[] = [];
  const asked: string[] = [];
  const files: string[] = [];
  const addresses: string[] = [];
  const store = {
    latest: () => ({...state, sessions: {main: tab}}),
    dispatch: (event: {type: string; text?: string}) => void (event.text && hints.push(event.text)),
  };
  const context = {
    store,
    tab,
    client: {
      askUser: async ({title, text}: {title: string; text: string}) => {
        asked.push(`${title}\n${text}`);
        return agrees;
      },
    },
    sessions: {optionsOf: () => ({foreground})},
  } as never;
  const openers = {
    file: async (path: string) => files.push(path) > 0,
    address: async (href: string) => addresses.push(href) > 0,
  };
  const [item] = contentItems(session) as [ContentItem];
  return {
    hints,
    asked,
    files,
    addresses,
    open: () => openContent(item, context, openers),
    save: () => contentEffects.save_content({kind: 'save_content', key: 'main', item}, context),
  };
}

/** The arguments an editor was started with. */
function editorIn(ended: {code: number | null; signal: string | null} = {code: 0, signal: null}) {
  const started: {args: readonly string[]; text: string}[] = [];
  const foreground: ConversationOptions['foreground'] = async ({args}) => {
    const file = (args.at(-1) ?? '').replace(/:\d+$/, '');
    started.push({args, text: readFileSync(file, 'utf8')});
    return {ok: true, value: ended};
  };
  return {started, foreground};
}

describe('opening an item', () => {
  test('gives the system a private copy of an image, named by acp-tui', async () => {
    const {open, files, hints} = windowOf(sessionWith({...png, uri: 'file:///x/run.sh'}));
    await open();
    const [file = ''] = files;
    expect(extname(file)).toBe('.png');
    expect(file).not.toContain('run');
    expect(readFileSync(file)).toEqual(PNG);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(hints).toEqual(['Opened run.sh.']);
  });

  test.each([
    [
      'a program that claims to be an image',
      {...png, data: Buffer.from('#!/bin/sh\n').toString('base64')},
      'not image/png',
    ],
    ['an unknown type', {...png, mimeType: 'application/x-desktop'}, 'type cannot be opened'],
  ])('rejects %s', async (_, block, why) => {
    const {open, files} = windowOf(sessionWith(block));
    expect(await open()).toMatchObject({
      ok: false,
      failure: {kind: 'file', problem: expect.stringContaining(why)},
    });
    expect(files).toEqual([]);
  });

  test('opens a web page and an SVG in the editor as text, never in a browser', async () => {
    const {started, foreground} = editorIn();
    const blob = Buffer.from('<script>1</script>').toString('base64');
    for (const mimeType of ['text/html', 'image/svg+xml']) {
      const {open, files} = windowOf(
        sessionWith({type: 'resource', resource: {uri: 'x:page.html', blob, mimeType}}),
        {foreground},
      );
      await open();
      expect(files).toEqual([]);
    }
    expect(started.map(({args, text}) => [extname(args.at(-1) ?? ''), text])).toEqual([
      ['.txt', '<script>1</script>'],
      ['.txt', '<script>1</script>'],
    ]);
  });

  test('asks before opening a URL, shows all of it and what is suspicious about it', async () => {
    const link = {type: 'resource_link', name: 'Bank', uri: 'http://аpple.com/login'};
    const no = windowOf(sessionWith(link), {agrees: false});
    await no.open();
    expect(no.addresses).toEqual([]);
    expect(no.asked[0]).toContain('http://xn--pple-43d.com/login');
    expect(no.asked[0]).toMatch(/Not https[^]*Punycode/);
    const yes = windowOf(sessionWith(link));
    await yes.open();
    expect(yes.addresses).toEqual(['http://xn--pple-43d.com/login']);
  });

  test.each(['javascript:alert(1)', 'vscode://file/x', 'smb://host/x', 'file://host/x'])(
    'does not open %s',
    async (uri) => {
      const {open, addresses, asked, hints} = windowOf(sessionWith({type: 'resource_link', name: 'x', uri}));
      await open();
      expect([...addresses, ...asked]).toEqual([]);
      expect(hints).toEqual(['Only http and https URLs can be opened.']);
    },
  );

  test('opens a file in the editor at the line of its location', async () => {
    const {started, foreground} = editorIn();
    writeFileSync(join(cwd, 'a.ts'), 'one\ntwo\n');
    const session = {
      ...reduceUpdates(opened, calls('a', {locations: [{path: join(cwd, 'a.ts'), line: 2}]})),
      cwd,
    };
    await windowOf(session, {foreground}).open();
    expect(started[0]?.args.slice(-2)).toEqual(['+2', join(cwd, 'a.ts')]);
  });

  test.each([
    ['outside the workspace', '/etc/passwd'],
    ['behind a link that leads outside', 'link/passwd'],
    ['a folder', '.'],
    ['gone', 'none'],
  ])('does not open a location that is %s', async (_, path) => {
    const {started, foreground} = editorIn();
    symlinkSync('/etc', join(cwd, 'link'));
    const session = {...reduceUpdates(opened, calls('a', {locations: [{path}]})), cwd};
    const {open, hints} = windowOf(session, {foreground});
    const done = await open();
    expect(started).toEqual([]);
    expect(done?.ok === false || hints.join().includes('outside the workspace')).toBe(true);
  });

  test('opens a copy of a linked picture in the workspace', async () => {
    writeFileSync(join(cwd, 'chart.png'), PNG);
    const uri = `file://${cwd}/chart.png`;
    const {open, files} = windowOf(
      sessionWith({type: 'resource_link', name: 'chart', uri, mimeType: 'image/png'}),
    );
    await open();
    expect(readFileSync(files[0] ?? '')).toEqual(PNG);
    expect(files[0]).not.toContain(cwd);
  });

  test('reports a failing editor', async () => {
    const {foreground} = editorIn({code: 3, signal: null});
    const {open, hints} = windowOf(sessionWith({type: 'resource', resource: {uri: 'x:a', text: 'a'}}), {
      foreground,
    });
    await open();
    expect(hints[0]).toMatch(/^The editor failed \(exit code 3\): .*VISUAL or EDITOR/);
  });
});

describe('saving an item', () => {
  test('writes a private file into the session’s folder and replaces none', async () => {
    const {save, hints} = windowOf(sessionWith({...png, uri: 'file:///x/chart.png'}));
    await save();
    await save();
    expect(hints).toEqual(['Saved chart.png (12 B).', 'Saved chart-2.png (12 B).']);
    expect(readFileSync(join(cwd, 'chart-2.png'))).toEqual(PNG);
    expect(statSync(join(cwd, 'chart.png')).mode & 0o777).toBe(0o600);
  });

  test.each([
    'file:///x/..%2f..%2fout.png',
    'file:///x/%2e%2e',
    'x:.git/config',
    'x:.bashrc',
    'x:/etc/cron.d/x',
  ])('keeps %s in the folder and visible', async (uri) => {
    const inner = join(cwd, 'inner');
    mkdirSync(inner);
    const session = {...sessionWith({type: 'resource', resource: {uri, text: 'x'}}), cwd: inner};
    await windowOf(session).save();
    expect(readdirSync(cwd)).toEqual(['inner']);
    expect(readdirSync(inner)).toEqual([expect.stringMatching(/^[^.]/)]);
  });

  test('follows no link of that name', async () => {
    const outside = join(realpathSync(temporaryFolder()), 'target');
    symlinkSync(outside, join(cwd, 'a.txt'));
    await windowOf(sessionWith({type: 'resource', resource: {uri: 'x:a.txt', text: 'x'}})).save();
    expect(readdirSync(cwd).sort()).toEqual(['a-2.txt', 'a.txt']);
    expect(readdirSync(dirname(outside))).toEqual([]);
  });

  test('rejects data that is not base64', async () => {
    const done = await windowOf(sessionWith({...png, data: 'not base64!'})).save();
    expect(done).toMatchObject({ok: false, failure: {problem: expect.stringContaining('not base64')}});
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('fails where the folder is not writable', async () => {
    chmodSync(cwd, 0o500);
    const done = await windowOf({...sessionWith(png), cwd: join(cwd, 'none')}).save();
    expect(done).toMatchObject({ok: false, failure: {kind: 'file'}});
    chmodSync(cwd, 0o700);
  });
});
