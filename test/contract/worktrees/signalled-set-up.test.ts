import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {writeFiles} from '../../support/folders/snapshot-folder.ts';
import {worktreeRepository} from '../../support/folders/worktree-repository.ts';
import {agentOption, startProgram} from '../../support/program/run-program.ts';
import {isProcessRunning} from '../../support/program/running.ts';

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s while a worktree is set up ends the set-up command, too',
  async (signal) => {
    const {source, scratch} = worktreeRepository();
    const [config, written] = [join(scratch, 'config'), join(scratch, 'pid')];
    mkdirSync(config);
    writeFiles(config, {
      'config.json': JSON.stringify({worktrees: {setup: `echo $$ > ${written}; exec sleep 300`}}),
    });
    const {child, ended} = startProgram(['-p', '-w', 'fix', agentOption('hello'), 'Hello'], {
      input: '',
      cwd: source,
      env: {ACP_TUI_CONFIG_DIR: config},
    });
    const pid = () => Number(existsSync(written) ? readFileSync(written, 'utf8') : 0);
    onTestFinished(() => void (isProcessRunning(pid()) && process.kill(pid(), 'SIGKILL')));
    await expect.poll(() => isProcessRunning(pid()), {timeout: 20_000}).toBe(true);
    child.kill(signal);
    expect(await ended).toMatchObject({signal});
    await expect.poll(() => isProcessRunning(pid())).toBe(false);
  },
);
