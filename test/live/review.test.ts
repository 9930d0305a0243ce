import {execFileSync} from 'node:child_process';
import {globSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {environment, PROGRAM, type Chat} from '../support/driver/chat.ts';
import {ask, chatWith, NOTES} from './real-agent.ts';

const EDITED = NOTES.replace('line two', 'line 2 (edited)');

function git({cwd}: Chat, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  return execFileSync('git', [...identity, ...args], {cwd, encoding: 'utf8'});
}

/** Without the abbreviated names of git's objects, which depend on the repository. */
function withoutIds(patch: string): string {
  return patch.replaceAll(/^index .*\n/gm, '');
}

test.each(['claude', 'codex', 'pi'] as const)(
  'changes %s made by itself are reviewed as git has them, and one hunk is reverted',
  async (name) => {
    const chat = await chatWith(name, '--approve', 'all');
    git(chat, 'init', '-q');
    writeFileSync(path.join(chat.cwd, 'other.md'), 'same\n'.repeat(20));
    git(chat, 'add', '-A');
    git(chat, 'commit', '-qm', 'before');
    const stored = path.join(chat.home, '.local/state/acp-tui/snapshots/*/refs/sessions/*/*-after');
    await ask(chat, 'say hello', 'Hello from the mock model.');
    await chat.until(() => globSync(stored).length === 1, 'the first snapshot');
    await ask(chat, `edit file ${chat.cwd}/notes.md`, 'The file is edited.');
    await ask(chat, 'write file', 'The file is written.');
    writeFileSync(path.join(chat.cwd, 'other.md'), `first\n${'same\n'.repeat(20)}last\n`);
    git(chat, 'add', '--intent-to-add', '-A');
    const shown = execFileSync(process.execPath, [PROGRAM, 'review', '--patch'], {
      cwd: chat.cwd,
      env: environment(chat.home),
      encoding: 'utf8',
    });
    expect(withoutIds(shown)).toBe(withoutIds(git(chat, 'diff')));
    chat.type('/review\r');
    await chat.sees(/Review 3 files/, 60);
    for (const file of ['lab-notes.md', 'notes.md', 'other.md']) await chat.sees(file);
    await chat.sees(/hunk 1 of 1/);
    chat.press('tab');
    await chat.sees('+ line 2 (edited)');
    chat.press('tab');
    await chat.sees('hunk 1 of 2');
    chat.type('x');
    await chat.sees('Reverted a hunk of other.md.', 60);
    const text = (file: string) => readFileSync(path.join(chat.cwd, file), 'utf8');
    expect(text('other.md')).toBe(`${'same\n'.repeat(20)}last\n`);
    expect(text('notes.md')).toBe(EDITED);
    expect(text('lab-notes.md')).toBe(NOTES);
  },
);
