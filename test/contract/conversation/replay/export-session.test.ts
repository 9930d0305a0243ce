import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createTab} from '../../../../src/app/initial.ts';
import type {Effect} from '../../../../src/app/effects.ts';
import type {ExportName} from '../../../../src/export/format.ts';
import {exportOpenSession} from '../../../../src/window/export-session.ts';
import {createSecrets, type Secrets} from '../../../../src/shared/mask.ts';
import {reduceEvents, opened, prompted, says, update} from '../../../support/session/build.ts';
import {valueOf} from '../../storage/stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const TOKEN = `ghp_${'a1'.repeat(18)}`;

/** The effect of `/export`. */
type Asked = Pick<Extract<Effect, {kind: 'export_session'}>, 'file' | 'withSecrets'> & {
  readonly format: ExportName | undefined;
};

function exportedTo(cwd: string, asked: Partial<Asked> = {}, secrets?: Secrets) {
  const said = reduceEvents(
    opened,
    prompted('What: is/this?'),
    update(says(`It is ${TOKEN}, or open sesame.`)),
  );
  const session = {...said, cwd};
  const tab = createTab({key: 'one', agentLabel: 'some-agent', session, approval: 'none'});
  const effect = {
    kind: 'export_session',
    key: 'one',
    format: undefined,
    file: undefined,
    withSecrets: false,
  } as const;
  return exportOpenSession(tab, {...effect, ...asked}, secrets);
}

test('names the file after the session by default and never replaces another', async () => {
  const folder = temporaryFolder();
  expect(valueOf(await exportedTo(folder))).toBe(join(folder, 'What-is-this.md'));
  expect(valueOf(await exportedTo(folder))).toBe(join(folder, 'What-is-this-2.md'));
  expect(valueOf(await exportedTo(folder, {format: 'json'}))).toBe(join(folder, 'What-is-this.json'));
  expect(readFileSync(join(folder, 'What-is-this.md'), 'utf8')).toContain('## some-agent');
});

test('chooses the format by extension, keeps an existing file, and masks credentials by default', async () => {
  const folder = temporaryFolder();
  const page = join(folder, 'out.HTML');
  expect(valueOf(await exportedTo(folder, {file: 'out.HTML'}))).toBe(page);
  expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/);
  expect(readFileSync(page, 'utf8')).not.toContain(TOKEN);
  expect(await exportedTo(folder, {file: page})).toEqual({
    ok: false,
    failure: {kind: 'file', path: page, problem: 'it already exists'},
  });
  const whole = valueOf(await exportedTo(folder, {file: 'whole.txt', withSecrets: true}));
  expect(readFileSync(whole, 'utf8')).toContain(`It is ${TOKEN}, or`);
});

test('masks the values filled into MCP servers from variables, too', async () => {
  const secrets = createSecrets();
  secrets.add('open sesame');
  const file = valueOf(await exportedTo(temporaryFolder(), {}, secrets));
  expect(readFileSync(file, 'utf8')).toContain('It is [masked], or [masked].');
});

test.each(['html', 'markdown', 'json'] as const)(
  'keys are handled while a long session is written as %s',
  async (format) => {
    const folder = temporaryFolder();
    const words = '**Words** and a list\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n'.repeat(5);
    const calls = Array.from({length: 1500}, (_, id) => update(says(words, `m${id}`)));
    const session = {...reduceEvents(opened, prompted('go'), ...calls), cwd: folder};
    const tab = createTab({key: 'one', agentLabel: 'x', session, approval: 'none'});
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    valueOf(
      await exportOpenSession(tab, {
        kind: 'export_session',
        key: 'one',
        format,
        file: undefined,
        withSecrets: false,
      }),
    );
    clearInterval(timer);
    // How often depends on the machine; the tests of the formats show that every chunk is short.
    expect(turns).toBeGreaterThan(0);
  },
);

test('JSON written in pieces equals JSON written at once', async () => {
  const folder = temporaryFolder();
  const text = readFileSync(valueOf(await exportedTo(folder, {format: 'json'})), 'utf8');
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 1)}\n`);
});
