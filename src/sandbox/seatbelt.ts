import {writeFileSync} from 'node:fs';
import {quoteWord, quoteWords} from '../text/shell-quote.ts';
import {isWithin} from '../shared/files/folders.ts';
import type {Confiner, SandboxParts} from './confiner.ts';
import {findHidden} from './mounts.ts';
import type {SandboxPolicy} from './policy.ts';

/** Devices that programs open by name. */
const DEVICES = ['stdout', 'stderr', 'null', 'tty', 'dtracehelper', 'autofs_nowait'].map(
  (name) => `/dev/${name}`,
);

/**
 * Returns how macOS confines the commands of a sandbox: the library makes a profile for `sandbox-exec` of the policy. Nothing that an agent controls is run or
 * read outside: environment and arguments of a command are in a file, which a shell reads inside.
 */
export async function seatbeltConfiner(policy: SandboxPolicy, parts: SandboxParts): Promise<Confiner> {
  const {wrapCommandWithSandboxMacOS: wrap} =
    await import('@anthropic-ai/sandbox-runtime/dist/sandbox/macos-sandbox-utils.js');
  const {runtime, network, lookUp} = parts;
  const workspace = await lookUp();
  const {port = 0} = network;
  const writable = [...workspace.writable, runtime.temporary];
  return {
    proxy: `http://127.0.0.1:${port}`,
    // Seatbelt allows no other port of this computer, so programs have to ask the proxy for all of them.
    direct: '',
    temporary: runtime.temporary,
    wrap({argv, cwd, env, file, isInTerminal = false}) {
      const {folders, files} = findHidden(policy, workspace);
      // Those that do not exist yet are hidden, too: Seatbelt goes by path.
      const hidden = [...new Set([...policy.hidden, ...folders, ...files])];
      const hiddenInside = hidden.filter((path) =>
        writable.some((own) => own !== path && isWithin(path, own)),
      );
      writeFileSync(file, script(argv, cwd, env), {mode: 0o600});
      const command = wrap({
        command: `. ${quoteWord(file)}`,
        // It names the command in the system's log.
        commandId: 'acp-tui',
        binShell: 'sh',
        needsNetworkRestriction: true,
        httpProxyPort: port,
        socksProxyPort: port,
        allowAllUnixSockets: policy.sockets === 'all',
        allowGitConfig: true,
        allowPty: isInTerminal,
        readConfig: {
          denyOnly: [],
          literalDenyOnly: [...hidden, runtime.folder],
          literalAllowWithinDeny: [...writable, ...policy.visible, file],
        },
        writeConfig: {
          allowOnly: [],
          literalAllowOnly: [...writable, ...DEVICES],
          denyWithinAllow: [],
          literalDenyWithinAllow: [...workspace.readOnly, ...hiddenInside],
        },
      });
      return ['/usr/bin/env', '-i', '/bin/sh', '-c', `exec ${command}`];
    },
  };
}

/** The shell script that runs a command with its environment. Names that no shell accepts are left out. */
function script(argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv): string {
  const variables = Object.entries({...env, PWD: cwd}).filter(([name]) => /^[a-z_]\w*$/i.test(name));
  return [
    ...variables.flatMap(([name, value]) =>
      value === undefined ? [] : [`export ${name}=${quoteWord(value)}`],
    ),
    `cd ${quoteWord(cwd)} && exec ${quoteWords(argv)}`,
    '',
  ].join('\n');
}
