import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {quoteWords} from '../../../src/text/shell-quote.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {runHere} from '../../support/program/run-program.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {makeConversation} from '../conversation/open-conversation.ts';
import {aHome, hasNoSandbox} from './sandboxes.ts';

const settings = {network: 'none', networkHosts: [], sandboxSockets: 'none', sandboxFolders: []} as const;

/** Starts an agent in a sandbox, and returns the error that the user sees. */
async function errorOf(argv: readonly [string, ...string[]], sandbox: object = {}): Promise<string> {
  const [command, ...args] = argv;
  const agent = {label: 'mine', command, args, env: {}};
  const {conversation} = makeConversation([], {agent, sandbox: {...settings, ...sandbox}});
  const opened = await conversation.open();
  return opened.ok ? '' : failureSentence(opened.failure);
}

function home(): string {
  const made = aHome();
  vi.stubEnv('HOME', made.home);
  onTestFinished(() => void vi.unstubAllEnvs());
  return made.home;
}

const OFF = '"sandbox": "off" in the settings of this agent';
const javascript = (code: string) => [process.execPath, '-e', code] as const;

describe.skipIf(hasNoSandbox)(
  'an agent that its sandbox does not let start is told why, and what allows it',
  () => {
    test('a script in a hidden folder', async () => {
      const keys = join(home(), '.ssh');
      mkdirSync(keys);
      writeFileSync(join(keys, 'agent.py'), 'print()');
      const error = await errorOf(['python3', join(keys, 'agent.py')]);
      expect(error).toContain(`Its sandbox hides ${keys}/agent.py. Add "${keys}" to sandbox.folders`);
      expect(error).toContain(OFF);
    });

    test('a file in a hidden folder that it needs', async () => {
      const keys = join(home(), '.aws');
      mkdirSync(keys);
      writeFileSync(join(keys, 'config'), '');
      const error = await errorOf(
        javascript(`require("fs").readFileSync(${JSON.stringify(join(keys, 'config'))})`),
      );
      expect(error).toContain(`Its sandbox hides ${keys}/config. Add "${keys}" to sandbox.folders`);
    });

    test.each([
      ['Node', javascript('require("net").createServer().listen("\\0a-lock", () => process.exit(3))')],
      [
        'Python',
        [
          'python3',
          '-c',
          'import socket\nsocket.socket(socket.AF_UNIX).bind("\\0a-lock")\nraise SystemExit(3)',
        ],
      ],
    ] as const)('a lock that is an abstract socket, of %s', async (_name, argv) => {
      const error = await errorOf(argv);
      expect(error).toContain(
        'Its sandbox allows no Unix sockets, abstract ones included. Set sandbox.sockets to "all"',
      );
      const allowed = await errorOf(argv, {sandboxSockets: 'all'});
      expect(allowed).toContain('which may be the reason');
    });

    test('a file of the temporary folder, which is there with the setting that is named', async () => {
      home();
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'lock'), '');
      const argv = javascript(`require("fs").readFileSync(${JSON.stringify(join(folder, 'lock'))})`);
      const error = await errorOf(argv);
      expect(error).toContain(`a temporary folder of its own, without ${folder}/lock. Add "${folder}" to`);
      const named = await errorOf(argv, {sandboxFolders: [folder]});
      expect(named).toContain('which may be the reason');
    });

    test('a file outside that it writes', async () => {
      const error = await errorOf(javascript('require("fs").writeFileSync("/usr/acp-tui-test", "")'));
      expect(error).toContain('Its sandbox does not let it write /usr/acp-tui-test.');
    });

    test('a server on this computer that it connects to', async () => {
      const error = await errorOf(javascript('require("net").connect(9, "127.0.0.1")'));
      expect(error).toContain('Its sandbox reaches 127.0.0.1:9 only through a proxy');
      expect(error).toContain('Add "127.0.0.1:9" to sandbox.hosts');
    });

    test('what says nothing of it may be the sandbox or not', async () => {
      const error = await errorOf(['sh', '-c', 'exit 3']);
      expect(error).toMatch(
        /exit code 3.*It ran in a sandbox, which may be the reason\. Without a sandbox: /,
      );
    });

    test('in the findings of doctor', async () => {
      const config = temporaryFolder();
      writeFileSync(
        join(config, 'config.json'),
        '{"sandbox": {"enabled": true, "network": "none", "folders": []}}',
      );
      const argv = javascript('require("net").createServer().listen("\\0a-lock", () => process.exit(3))');
      const {stdout} = await runHere(['doctor', quoteWords(argv), '--yes'], {
        env: {ACP_TUI_CONFIG_DIR: config, ACP_TUI_STATE_DIR: temporaryFolder()},
      });
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        'Its sandbox allows no Unix sockets, abstract ones included. Set sandbox.sockets to "all"',
      );
    });

    test('what it answers when a session is opened', async () => {
      const script = {
        errors: {'session/new': {code: 1, message: "EROFS: read-only file system, open '/etc/mine/lock'"}},
      };
      const error = await errorOf([process.execPath, FAKE_AGENT, 'script', JSON.stringify(script)]);
      expect(error).toContain(
        'Its sandbox does not let it write /etc/mine/lock. Add "/etc/mine" to sandbox.folders',
      );
    });
  },
);
