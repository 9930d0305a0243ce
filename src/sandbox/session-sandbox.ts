import type {SandboxSettings} from '../session/settings/sandbox.ts';
import type {Result} from '../shared/failure.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {ProtectedWatch} from './protected/watch.ts';
import type {Sandbox, SandboxOptions} from './sandbox.ts';
import type {SandboxedSession, SetUpOptions} from './set-up.ts';

/** Returns the sandbox, or why there is none: then nothing may be started. */
export type OpenSandbox = () => Promise<Result<Sandbox>>;

/** The sandbox of a session: set up when it is needed first, and again if it is gone. */
export interface SessionSandbox {
  readonly open: OpenSandbox;
  /** Ends it, and sets up another one for the session as it is now, before its agent is started. */
  readonly renew: OpenSandbox;
  /** The one that was set up last, although it may have ended; undefined if there is none, or it was closed. */
  readonly current: () => Promise<Sandbox | undefined>;
  close(): Promise<void>;
}

export function createSessionSandbox(session: () => SandboxedSession, options: SetUpOptions): SessionSandbox {
  let opened: Promise<Result<Sandbox>> | undefined;
  /** The last one that could be set up: what was written in it may still have to be asked about. */
  let last: Sandbox | undefined;

  /** Nothing of a sandbox is loaded before there is one. */
  async function create(earlier?: ProtectedWatch): Promise<Result<Sandbox>> {
    const {setUpSandbox} = await import('./set-up.ts');
    const created = await setUpSandbox(session(), {...options, ...(earlier && {earlier})});
    if (created.ok) last = created.value;
    return created;
  }

  async function end(earlier: typeof opened): Promise<void> {
    const sandbox = await earlier;
    if (sandbox?.ok) sandbox.value.close();
  }

  async function reuse(earlier: typeof opened): Promise<Result<Sandbox>> {
    const before = await earlier;
    return before?.ok && before.value.isOpen() ? before : create(last?.watch);
  }

  return {
    // One after the other, so that there is only one.
    open: () => (opened = reuse(opened)),
    renew: () => (opened = end(opened).then(() => create())),
    async current() {
      await opened;
      return last;
    },
    async close() {
      const closing = opened;
      opened = undefined;
      await end(closing);
      if (!opened) last = undefined;
    },
  };
}

/** Returns the sandbox of a session without a user who could be asked; undefined if it is not confined. Each refused host is told once. */
export function silentSandbox(
  session: Omit<SandboxedSession, 'sandbox'> & {readonly sandbox?: SandboxSettings},
  tell: (text: string) => void,
): SessionSandbox | undefined {
  const {sandbox} = session;
  return (
    sandbox &&
    createSessionSandbox(() => ({...session, sandbox}), {
      ask: () => Promise.resolve(false),
      onRefused: tellOnce(tell),
      onWarning: tell,
    })
  );
}

/** Returns a function that tells of each refused connection, but of none twice. */
export function tellOnce(tell: (text: string) => void): SandboxOptions['onRefused'] {
  const told = new Set<string>();
  return ({host, port, why}) => {
    const text = sanitizeLine(`The sandbox refused a connection to ${host}:${port}: ${why}.`);
    if (!told.has(text)) tell(text);
    told.add(text);
  };
}
