import type {ApprovalLevel} from '../session/settings/approval.ts';
import type {PendingElicitations} from './elicitation/pending-elicitations.ts';
import type {FileSystem} from './files/file-system.ts';
import type {Roots} from './files/roots.ts';
import type {AnsweredHosts} from './permissions/answered-hosts.ts';
import type {Grants} from './permissions/grants.ts';
import type {EffectEntries} from './permissions/effect-entries.ts';
import type {PendingPermissions, OpenRequests} from './permissions/pending-permissions.ts';
import type {RuleSet} from './rules/match.ts';
import type {ProtectedPathFinder} from './rules/protected.ts';
import type {HostOptions} from './services.ts';
import type {Terminals} from './terminals/terminals.ts';
import type {Interrupts} from './interrupts.ts';

/** State shared by the requests of one agent. */
export interface HostContext {
  readonly options: HostOptions;
  readonly roots: Roots;
  readonly files: FileSystem;
  readonly terminals: Terminals;
  readonly grants: Grants;
  readonly answeredHosts: AnsweredHosts;
  readonly pendingPermissions: PendingPermissions;
  readonly openRequests: OpenRequests;
  readonly elicitations: PendingElicitations;
  readonly effects: EffectEntries;
  readonly findProtected: ProtectedPathFinder;
  /** Returns the rules as they are now. */
  readonly rules: () => RuleSet;
  level: ApprovalLevel;
  /** Aborted and replaced when all pending requests are cancelled. */
  cancelling: AbortController;
}

/** Read before the first await, so that a cancel is not missed. */
export function requestInterrupts({options, cancelling}: HostContext, withdrawn: AbortSignal): Interrupts {
  return {withdrawn, cancelled: options.isCancelling() ? AbortSignal.abort() : cancelling.signal};
}
