import type {ApprovalLevel} from '../session/actions.ts';
import type {SessionState} from '../session/state.ts';
import type {Draft} from './prompt/draft.ts';
import type {QueuedPrompt} from './queue.ts';
import type {History} from './history.ts';

/** Names an open session in this window; not the protocol's session id, which comes later and may change. */
export type SessionKey = string;

/** What the window shows. Sessions, drafts and queues are per session; the rest is the window's own. */
export interface AppState {
  readonly sessions: Readonly<Record<SessionKey, OpenSession>>;
  readonly active: SessionKey;
  readonly overlay: Overlay;
  readonly focus: Focus;
  /** Earlier prompts of this project and of all others. */
  readonly history: History;
  /** The theme's name, see themes.ts. */
  readonly theme: string;
  /** One line of feedback near the prompt ("Press Ctrl+C again to leave"); `until` is a time in ms since the epoch. */
  readonly hint: {readonly text: string; readonly until: number} | undefined;
  /** Ctrl+C leaves when pressed again before this time; undefined when it does not. */
  readonly leaveArmedUntil: number | undefined;
  /** When the user last pressed a key that changed the draft. */
  readonly lastTypedAt: number;
}

export interface OpenSession {
  readonly key: SessionKey;
  readonly session: SessionState;
  readonly draft: Draft;
  readonly queue: readonly QueuedPrompt[];
  /** True after a cancel, an error or a crash: the queue goes on only with Enter. */
  readonly queueHeld: boolean;
  readonly approval: ApprovalLevel;
}

/** Which keys go where. A request is named by its id in `session.pending`. */
export type Focus = {readonly kind: 'prompt'} | {readonly kind: 'request'; readonly id: string};

/** What lies over the prompt; one at a time. */
export type Overlay =
  | {readonly kind: 'none'}
  | {readonly kind: 'help'}
  /** A list to choose from: a mode, a model, a config option, a sign-in method. */
  | {readonly kind: 'picker'; readonly picker: Picker}
  /** Text to read: the agent's stderr, `/status`. */
  | {readonly kind: 'text'; readonly title: string; readonly text: string};

export interface Picker {
  /** What choosing an item does; `app/commands` knows how. */
  readonly purpose:
    | {readonly kind: 'mode'}
    | {readonly kind: 'model'}
    | {readonly kind: 'config'}
    | {readonly kind: 'config_value'; readonly configId: string}
    | {readonly kind: 'approval'}
    | {readonly kind: 'authenticate'}
    | {readonly kind: 'recovery'};
  readonly title: string;
  readonly items: readonly PickerItem[];
  readonly filter: string;
  readonly selected: number;
}

export interface PickerItem {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly group?: string;
  readonly current?: boolean;
}
