import type {Failure, InstallReason} from '../../failure.ts';

/** An agent that could not be installed. */
export function installFailed(
  agent: string,
  reason: InstallReason,
  detail: string,
): {readonly ok: false; readonly failure: Extract<Failure, {kind: 'install'}>} {
  return {ok: false, failure: {kind: 'install', agent, reason, detail}};
}
