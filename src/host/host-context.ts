import type {ApprovalLevel} from '../session/actions.ts';
import type {EffectEntries} from './effect-entries.ts';
import type {ElicitationDesk} from './forms/elicitation-desk.ts';
import type {FileSystem} from './file-system.ts';
import type {Grants} from './grants.ts';
import type {PermissionDesk} from './permission-desk.ts';
import type {RuleBook} from './rules/decide.ts';
import type {ProtectedPathFinder} from './rules/protected.ts';
import type {Roots} from './roots.ts';
import type {HostOptions} from './services.ts';
import type {StandingRequests} from './standing-requests.ts';
import type {Terminals} from './terminals.ts';

/** What the requests of one agent share. */
export interface HostContext {
  readonly options: HostOptions;
  readonly roots: Roots;
  readonly files: FileSystem;
  readonly terminals: Terminals;
  readonly grants: Grants;
  readonly desk: PermissionDesk;
  readonly standing: StandingRequests;
  readonly elicitations: ElicitationDesk;
  readonly effects: EffectEntries;
  readonly findProtected: ProtectedPathFinder;
  level: ApprovalLevel;
  rules: RuleBook;
  /** Aborted, and replaced, when everything that waits is cancelled. */
  cancelling: AbortController;
}
