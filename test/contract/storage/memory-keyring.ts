import type {Keyring} from '../../../src/storage/credentials/keyring.ts';

/** A keyring in memory; `broken` makes every call throw. */
export function memoryKeyring(): Keyring & {readonly secrets: Map<string, string>; broken: boolean} {
  const secrets = new Map<string, string>();
  const keyring = {
    secrets,
    broken: false,
    problem: async () => (keyring.broken ? 'it is locked' : undefined),
    read: async (account: string) => asked(() => secrets.get(account)),
    write: async (account: string, secret: string) => asked(() => void secrets.set(account, secret)),
    remove: async (account: string) => asked(() => void secrets.delete(account)),
  };
  function asked<T>(act: () => T): T {
    if (keyring.broken) throw new Error('it is locked');
    return act();
  }
  return keyring;
}
