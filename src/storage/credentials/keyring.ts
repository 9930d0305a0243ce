import {execFile} from 'node:child_process';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import {errorMessage} from '../../shared/failure.ts';
import {isJsonObject, jsonOf} from '../../text/json.ts';

/** The system's keyring. All methods throw on failure. */
export interface Keyring {
  /** Returns why nothing can be stored; undefined if it can. */
  problem(): Promise<string | undefined>;
  read(account: string): Promise<string | undefined>;
  write(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

/** Timeouts in milliseconds: of what may ask the user to unlock it, and of what asks nobody. */
const TIMEOUT_MS = 60_000;
const PROBE_TIMEOUT_MS = 5000;

/**
 * Uses the keyring in a process of its own: its constructor waits for the session bus without an end, and nothing else of the process goes on meanwhile. The
 * kernel keyring, the fallback without a Secret Service, is lost on reboot.
 */
const PROGRAM = `
  const [module, account, call] = process.argv.slice(1);
  const {AsyncEntry} = (await import(module)).default;
  let secret = '';
  for await (const part of process.stdin.setEncoding('utf8')) secret += part;
  try {
    const entry = new AsyncEntry('acp-tui', account, {linux: {store: 'secret-service'}});
    const value = call === '' ? null : await entry[call](...(call === 'setPassword' ? [secret] : []));
    console.log(JSON.stringify({value}));
  } catch (error) {
    console.log(JSON.stringify({error: error.message}));
  }
`;

type Call = '' | 'getPassword' | 'setPassword' | 'deletePassword';

/** The keychain of macOS, the credential manager of Windows, the Secret Service elsewhere. The native module is missing on some systems. */
export function systemKeyring(): Keyring {
  return {
    problem: async () =>
      run('probe', '', {limitMs: PROBE_TIMEOUT_MS}).then(
        () => undefined,
        (error: unknown) => problemOf(error),
      ),
    read: async (account) => {
      const value = await run(account, 'getPassword');
      return typeof value === 'string' ? value : undefined;
    },
    write: async (account, secret) => void (await run(account, 'setPassword', {secret})),
    remove: async (account) => void (await run(account, 'deletePassword')),
  };
}

interface Limited {
  readonly limitMs?: number;
  readonly secret?: string;
}

/** Calls a method of an entry, or only opens it. */
async function run(
  account: string,
  call: Call,
  {limitMs = TIMEOUT_MS, secret = ''}: Limited = {},
): Promise<unknown> {
  const module = pathToFileURL(createRequire(import.meta.url).resolve('@napi-rs/keyring')).href;
  const {promise, resolve, reject} = Promise.withResolvers<string>();
  const child = execFile(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, module, account, call],
    {timeout: limitMs, killSignal: 'SIGKILL'},
    (error, stdout) => {
      if (error?.killed) reject(new KeyringSilent());
      else if (error) reject(error);
      else resolve(stdout);
    },
  );
  child.stdin?.on('error', () => undefined).end(secret);
  const answer = jsonOf(await promise);
  if (!isJsonObject(answer)) throw new Error('it gave no answer');
  if (typeof answer['error'] === 'string') throw new Error(answer['error']);
  return answer['value'];
}

class KeyringSilent extends Error {
  override readonly message = 'it does not respond';
}

function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
    return 'the package @napi-rs/keyring is not installed';
  if (error instanceof KeyringSilent) return error.message;
  if (process.platform === 'linux') return 'no Secret Service (gnome-keyring, KWallet) is running';
  return errorMessage(error);
}
