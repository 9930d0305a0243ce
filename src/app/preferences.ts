import type {ReadingLevel} from './requests/seen-rows.ts';
import type {AgentColors, Theme} from './themes/themes.ts';
import type {Keymap} from './keymap/keymap.ts';

/** Which keys edit the draft. */
export const EDITING = ['readline', 'vim'] as const;

/** The part of the window's state that comes from settings. */
export interface Preferences {
  readonly keymap: Keymap;
  /** Problems with the key settings, in sentences. */
  readonly keyProblems: readonly string[];
  readonly editing: (typeof EDITING)[number];
  /** What must have been visible before a request can be allowed. */
  readonly requireReading: ReadingLevel;
  /** The theme's name, see themes/themes.ts. */
  readonly theme: string;
  readonly ownThemes: readonly Theme[];
  /** The user's own colors of agents. */
  readonly agentColors: AgentColors | undefined;
  /** True to turn off animation. */
  readonly reducedMotion: boolean;
  readonly notifications: (typeof NOTIFICATION_LEVELS)[number];
  /** Whether the full screen shows a panel next to the transcript if it fits, and handles the mouse. */
  readonly sidePanel: boolean;
  readonly mouse: boolean;
  /** Whether an empty prompt shows what the agent expects next. */
  readonly promptSuggestions: boolean;
  /** What the prompt's lower edge shows, in this order, or a command whose output is shown there instead; undefined for the usual parts. */
  readonly statusLine?: readonly StatusItem[] | {readonly command: string} | undefined;
  /** Whether pictures are drawn. */
  readonly images: (typeof IMAGE_LEVELS)[number];
}

/** Parts of the prompt's lower edge. */
export const STATUS_ITEMS = [
  'agent',
  'session',
  'model',
  'effort',
  'mode',
  'sandbox',
  'folder',
  'branch',
  'context',
  'cost',
  'time',
] as const;

export type StatusItem = (typeof STATUS_ITEMS)[number];

/** Returns the parts of the prompt's lower edge that the user chose, or the command that prints it. */
export function chosenStatus({statusLine}: Pick<Preferences, 'statusLine'>): {
  readonly items?: readonly StatusItem[] | undefined;
  readonly command?: string;
} {
  return statusLine && 'command' in statusLine ? statusLine : {items: statusLine};
}

/** How to notify the user of pending questions while the terminal is not focused. */
export const NOTIFICATION_LEVELS = ['all', 'bell', 'off'] as const;

/** How pictures are drawn: as the terminal can, with half blocks, or as their name only. */
export const IMAGE_LEVELS = ['auto', 'blocks', 'off'] as const;
