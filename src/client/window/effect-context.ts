import type {AppEvent} from '../../app/events.ts';
import {TOAST_MS} from '../../app/sessions.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import type {Secrets} from '../../storage/mask.ts';
import type {RecordingLine} from '../../recording/format.ts';
import type {Store} from '../../shared/store.ts';
import type {AgentToAsk} from '../sessions/other-agents.ts';
import type {Client} from '../client.ts';
import type {PermissionRules} from '../trust/permission-rules.ts';
import type {Log} from '../options.ts';
import type {SessionStorage, WindowSessions} from './window-sessions.ts';
import type {WireViewer} from './wire-inspector.ts';
import type {ReportFault} from './faults.ts';

/** Dependencies of effects on a window's sessions. */
export interface SessionEffectContext {
  readonly store: Store<AppState, AppEvent>;
  readonly sessions: WindowSessions;
  readonly memory: SessionStorage;
  readonly agentsToAsk?: () => readonly AgentToAsk[];
}

/** Dependencies of a window's effects. */
export interface EffectContext extends SessionEffectContext {
  readonly clientOf: (key: SessionKey) => Client;
  readonly permissions: PermissionRules;
  readonly saveHistory: (text: string) => void;
  /** What is masked in exports, beside what looks like a credential. */
  readonly secrets?: Secrets;
  /** What is kept of the wires. */
  readonly wireLines: () => readonly RecordingLine[];
  /** Where what has to survive is kept. */
  readonly stateFolder: string;
  readonly log: Log;
  readonly report: ReportFault;
  readonly quit: () => void;
  readonly wire: WireViewer;
}

/** Shows a toast. */
export function notify({store}: Pick<EffectContext, 'store'>, text: string): undefined {
  store.dispatch({type: 'toast_shown', text, until: performance.now() + TOAST_MS}, 'urgent');
}
