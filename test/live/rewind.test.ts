import {existsSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {contentOf} from '../support/folders/snapshot-folder.ts';
import {chatWith, ask, NOTES} from './real-agent.ts';
import {selectHighlighted, type Chat} from '../support/driver/chat.ts';

/** Rewinds to the prompt with these words, with all files. */
async function goBackTo(chat: Chat, words: string, count: string): Promise<void> {
  chat.type('/rewind\r');
  await chat.sees('Select one to see what would change');
  chat.type(words);
  await chat.sees(`❯ ${words}`);
  chat.press('enter');
  await chat.sees('Change nothing');
  chat.press('down');
  await selectHighlighted(chat, `❯ Restore ${count}`);
}

test.each(['claude', 'codex', 'pi'] as const)(
  'changes %s made by itself are rewound byte for byte, and restored',
  async (name) => {
    const chat = await chatWith(name, '--approve', 'all');
    const {cwd} = chat;
    // As a new file: bits that change right after a snapshot are not covered.
    rmSync(path.join(cwd, 'notes.md'));
    writeFileSync(path.join(cwd, 'notes.md'), NOTES, {mode: 0o600});
    symlinkSync('notes.md', path.join(cwd, 'link'));
    writeFileSync(path.join(cwd, 'bytes.bin'), Buffer.from([0, 255, 13, 10]));
    const before = contentOf(cwd);
    await ask(chat, 'write file', 'The file is written.');
    await ask(chat, `edit file ${cwd}/notes.md`, 'The file is edited.');
    const after = contentOf(cwd);
    expect(after).not.toEqual(before);
    await goBackTo(chat, 'write file', '2 files');
    await expect.poll(() => contentOf(cwd), {timeout: 30_000}).toEqual(before);
    expect(existsSync(path.join(cwd, 'lab-notes.md'))).toBe(false);
    expect(readFileSync(path.join(cwd, 'notes.md'), 'utf8')).toBe(NOTES);
    chat.press('ctrl+c');
    await goBackTo(chat, 'Before files were restored', '2 files');
    await expect.poll(() => contentOf(cwd), {timeout: 30_000}).toEqual(after);
  },
);
