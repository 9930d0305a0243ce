import {expect, test} from 'vitest';
import {runProgram} from '../../support/program/run-program.ts';
import {missingSsh, sshServer} from '../../support/servers/ssh-server.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';

const reason = missingSsh();
if (reason !== undefined) console.warn(`NOT TESTED: ${reason} (apt-get install openssh-server).`);

test.runIf(process.env['TEST_PROGRAMS'] === 'required')('a server is installed as requested', () => {
  expect(reason).toBeUndefined();
});

test.skipIf(reason !== undefined)('an agent over ssh works like any other', async () => {
  const ssh = await sshServer();
  const agent = `${ssh} ${process.execPath} ${FAKE_AGENT} echo`;
  const {stdout, stderr, exitCode} = await runProgram(['-p', '--agent', agent, 'hello over ssh'], {
    input: '',
  });
  expect(stderr).not.toContain('acp-tui:');
  expect(stdout).toContain('hello over ssh');
  expect(exitCode).toBe(0);
  const refused = await runProgram(
    ['-p', '--agent', `${ssh.replace(/-i \S+/, '-i /nonexistent')} agent`, 'hello'],
    {
      input: '',
    },
  );
  expect(refused.stderr).toMatch(/Permission denied/);
  expect(refused.exitCode).not.toBe(0);
});
