import {chmodSync, existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createExternalEditor, editFile} from '../../../../src/modes/window/external-editor.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {isProcessRunning} from '../../../support/program/running.ts';

/** An editor that is a shell script; `$1` is its first argument. */
function script(body: string): {readonly command: string; readonly folder: string} {
  const folder = temporaryFolder();
  const command = join(folder, 'editor');
  writeFileSync(command, `#!/bin/sh\ncd '${folder}'\n${body}\n`);
  chmodSync(command, 0o755);
  return {command, folder};
}

describe('an external editor', () => {
  test('gets the text in a private file and returns what it saved', async () => {
    const {command, folder} = script(
      'cp "$1" given; stat -c "%a" "$1" > mode; echo "$1" > name; printf "edited\\nä\\n" > "$1"',
    );
    const outcome = await createExternalEditor({EDITOR: command}).edit('one\ntwo');
    expect(outcome).toEqual({kind: 'edited', text: 'edited\nä'});
    expect(readFileSync(join(folder, 'given'), 'utf8')).toBe('one\ntwo\n');
    expect(readFileSync(join(folder, 'mode'), 'utf8')).toBe('600\n');
    const file = readFileSync(join(folder, 'name'), 'utf8').trim();
    expect(existsSync(dirname(file))).toBe(false);
  });

  test.each(['', 'a', 'a\n', 'a\n\n', '\n', 'a\r\nb'])(
    'returns %j unchanged when nothing was edited',
    async (text) => {
      expect(await createExternalEditor({EDITOR: 'true'}).edit(text)).toEqual({kind: 'edited', text});
    },
  );

  test('may have arguments, and VISUAL takes precedence over EDITOR', async () => {
    const {command, folder} = script('echo "$1/$2" > arguments; test -f "$3"');
    const editor = createExternalEditor({VISUAL: `LANG=C ${command} -w 'two words'`, EDITOR: 'false'});
    expect(await editor.edit('x')).toMatchObject({kind: 'edited'});
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).toBe('-w/two words\n');
  });

  test.each([
    ['sh -c "exit 3"', /exit code 3\)\. The draft is unchanged/],
    ['no-such-editor-anywhere -w', /Cannot start the editor: no-such-editor-anywhere -w.*VISUAL or EDITOR/],
    ['sh -c \'rm "$0"\'', /The editor could not be used \(ENOENT/],
  ])('%s keeps the text and says why', async (command, why) => {
    const outcome = await createExternalEditor({EDITOR: command}).edit('kept');
    expect(outcome).toEqual({kind: 'kept', why: expect.stringMatching(why)});
  });

  test("gets a file's text exactly, under its name, and returns exactly what it saved", async () => {
    const {command, folder} = script('cp "$1" given; basename "$1" > name; printf "edited\\r\\n\\n" > "$1"');
    const outcome = await createExternalEditor({EDITOR: command}).edit('one', '/src/../my file.ts');
    expect(outcome).toEqual({kind: 'edited', text: 'edited\r\n\n'});
    expect(readFileSync(join(folder, 'given'), 'utf8')).toBe('one');
    expect(readFileSync(join(folder, 'name'), 'utf8')).toBe('proposed-my_file.ts\n');
  });

  test('that saves no text changes nothing', async () => {
    const {command} = script(String.raw`printf 'caf\351' > "$1"`);
    const why = 'What was saved is not UTF-8 text. The request still waits.';
    expect(await createExternalEditor({EDITOR: command}).edit('one', 'a.ts')).toEqual({kind: 'kept', why});
  });

  test('is stopped on request, and its file is removed', async () => {
    const {command, folder} = script('echo $$ "$1" > started; exec sleep 60');
    const editor = createExternalEditor({EDITOR: command});
    const outcome = editor.edit('x');
    await expect
      .poll(() => existsSync(join(folder, 'started')) && statSync(join(folder, 'started')).size)
      .toBeTruthy();
    const [pid, file = ''] = readFileSync(join(folder, 'started'), 'utf8').trim().split(' ');
    editor.end();
    expect(await outcome).toMatchObject({kind: 'kept'});
    await expect.poll(() => isProcessRunning(Number(pid))).toBe(false);
    expect(existsSync(file)).toBe(false);
  });
});

describe('a file edited in place', () => {
  test('holds what the editor saved', async () => {
    const {command, folder} = script('printf "edited" > "$1"');
    const file = join(folder, 'a file.json');
    writeFileSync(file, '{}');
    expect(await editFile({file}, {EDITOR: command})).toBeUndefined();
    expect(readFileSync(file, 'utf8')).toBe('edited');
  });

  test.each([
    ['false', 'The editor failed (exit code 1).'],
    ['nobody-has-this', 'Cannot start the editor: nobody-has-this.'],
  ])('with the editor %s reports: %s', async (command, why) => {
    expect(await editFile({file: '/dev/null'}, {EDITOR: command})).toContain(why);
  });
});
