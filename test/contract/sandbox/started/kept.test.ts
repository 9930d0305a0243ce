import {mkdirSync, readdirSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {READY, runCommand, say} from '../../../support/driver/chat.ts';
import {hasNoSandbox} from '../sandboxes.ts';
import {aPlace, here, openWindowThere} from './place.ts';

describe.skipIf(hasNoSandbox)('a session that is resumed keeps', () => {
  test('the folders that the user added to its sandbox, and none that became a link', async () => {
    const at = aPlace({settings: {}});
    const chat = await openWindowThere(at, ['--sandbox'], 'spy');
    await say(chat, 'go');
    chat.type(`/sandbox ${at.elsewhere}\r`);
    await chat.sees('after /restart');
    await runCommand(chat, '/exit');
    await chat.ended();
    expect(at.where()).toBe('inside');
    at.forget();

    expect(await here(at, '-p', 'go', '-c')).toMatchObject({exitCode: 0});
    expect(at.where()).toBe('outside');

    at.forget();
    const secret = join(at.home, '.ssh');
    mkdirSync(secret);
    rmSync(at.elsewhere, {recursive: true});
    symlinkSync(secret, at.elsewhere);
    const {stderr} = await here(at, '-p', 'go', '-c');
    expect(stderr).toContain(
      `${at.elsewhere} was a folder when you added it to the sandbox, and is a link now`,
    );
    expect(at.where()).toBe('inside');
    expect(readdirSync(secret)).toEqual([]);
  });

  test('its sandbox, also one that /new has begun in the window of another', async () => {
    const at = aPlace({settings: {}});
    const chat = await openWindowThere(at, ['--sandbox'], 'spy');
    await say(chat, 'first');
    await runCommand(chat, '/new');
    await chat.sees(READY);
    await say(chat, 'second', 2);
    await runCommand(chat, '/exit');
    await chat.ended();
    at.forget();
    await here(at, '-p', 'go', '-c');
    expect(at.where()).toBe('inside');
  });
});
