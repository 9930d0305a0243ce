import type {SandboxPolicy} from '../../sandbox/policy.ts';
import {createSessionSandbox, toldOnce, type SessionSandbox} from '../../sandbox/session-sandbox.ts';
import type {SandboxedSession} from '../../sandbox/set-up.ts';
import {warn, type ClientContext} from '../context.ts';

/** Creates the sandbox of a session. A host that is not known is a permission request; each that is refused without one is told once. */
export function openSandbox(context: () => ClientContext): SessionSandbox {
  return createSessionSandbox(() => context().options as SandboxedSession, {
    ask({host: name, port, isPrivate}) {
      const {host, sink} = context();
      return host.connect({sessionId: sink.state().sessionId ?? '', host: {name, isPrivate}, port});
    },
    onRefused: toldOnce((text) => warn(context(), text)),
  });
}

/** Shows what the sandbox of the agent allows; undefined if it runs without. */
export function showSandbox({sink}: ClientContext, policy: SandboxPolicy | undefined): void {
  // A resumed session may have had one.
  if (!policy && !sink.state().sandbox) return;
  const sandbox = policy && {
    writable: [...policy.roots, ...policy.writable],
    hosts: [...policy.namedHosts, ...policy.knownHosts],
    network: policy.network,
    sandboxSockets: policy.sockets,
  };
  sink.emit({type: 'sandbox_changed', sandbox, at: Date.now()});
}
