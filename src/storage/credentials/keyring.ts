import {errorMessage} from '../../shared/failure.ts';

/** The system's keyring. All methods throw on failure. */
export interface Keyring {
  /** Returns why nothing can be stored; undefined if it can. */
  problem(): Promise<string | undefined>;
  read(account: string): Promise<string | undefined>;
  write(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

const SERVICE = 'acp-tui';

/** Timeout in milliseconds, since it may ask the user to unlock it. */
const TIMEOUT_MS = 60_000;

/**
 * The keychain of macOS, the credential manager of Windows, the Secret Service elsewhere. The native module is loaded on first use; it is missing on some
 * systems.
 */
export function systemKeyring(): Keyring {
  async function entry(account: string) {
    const {AsyncEntry} = await import('@napi-rs/keyring');
    // The kernel keyring, the fallback without a Secret Service, is lost on reboot.
    return new AsyncEntry(SERVICE, account, {linux: {store: 'secret-service'}});
  }

  return {
    async problem() {
      return entry('probe').then(
        () => undefined,
        (error: unknown) => problemOf(error),
      );
    },
    read: async (account) => (await inTime((await entry(account)).getPassword())) ?? undefined,
    write: async (account, secret) => inTime((await entry(account)).setPassword(secret)),
    async remove(account) {
      await inTime((await entry(account)).deletePassword());
    },
  };
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const {promise, reject} = Promise.withResolvers<never>();
  const late = setTimeout(() => reject(new Error('it does not respond')), TIMEOUT_MS);
  return Promise.race([answer, promise]).finally(() => clearTimeout(late));
}

function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
    return 'the package @napi-rs/keyring is not installed';
  if (process.platform === 'linux') return 'no Secret Service (gnome-keyring, KWallet) is running';
  return errorMessage(error);
}
