import * as z from 'zod/mini';
import {APPROVAL_LEVELS} from '../../session/actions.ts';
import {EDITING, IMAGE_LEVELS, NOTIFICATION_LEVELS} from '../../app/state.ts';
import {AUTO, THEME_NAMES} from '../../app/themes/themes.ts';
import {MCP_SERVER_ALLOWED, mcpServer, mcpServers, MCP_SERVERS_ALLOWED} from '../../mcp/schema.ts';
import type {AgentsSettings} from './agent-settings.ts';
import {RULE_LISTS_ALLOWED, ruleLists} from './rule-settings.ts';
import {SCREENS} from '../../app/pages/viewer-state.ts';
import {READING_LEVELS} from '../../app/requests/seen-rows.ts';
import type {SettingField} from './setting-problems.ts';
import {color, THEME_ALLOWED, themeSettings} from './theme-settings.ts';
import {isFields} from '../../text/json.ts';

/** Character sets for the screen. */
const GLYPHS = ['auto', 'unicode', 'ascii'] as const;

const text = z.string().check(z.minLength(1));
const flag = {schema: z.boolean(), allowed: 'true or false'};
const amount = {schema: z.number().check(z.positive()), allowed: 'a number greater than 0'};

/** Topics of the settings screen, in this order; those of single agents follow. */
export const TOPICS = ['Appearance', 'Keys', 'Permissions', 'Agents', 'Storage'] as const;

/** When a changed setting applies. */
type Applies = 'at once' | 'in new sessions' | 'at the next start';

interface SettingSpec extends SettingField {
  readonly description: string;
  readonly topic: (typeof TOPICS)[number];
  readonly applies: Applies;
}

const keysOfAction = z.union([text, z.array(text), z.null()]);

/** Each setting with its purpose, its schema and a description of its values; `entry` and `fields` describe nested values. */
export const settingFields = {
  agent: {
    topic: 'Agents',
    applies: 'at the next start',
    description: 'the default agent',
    schema: text,
    allowed: 'the name or command line of an agent',
  },
  lastAgent: {
    topic: 'Agents',
    applies: 'at the next start',
    description: 'the agent used last (written by acp-tui)',
    schema: text,
    allowed: 'the name or command line of an agent',
  },
  /** By name; each is read separately, see agent-settings.ts. */
  agents: {
    topic: 'Agents',
    applies: 'in new sessions',
    description: 'your own agents by name, and settings for each (docs/using-agents.md)',
    schema: z.custom<AgentsSettings>(isFields),
    allowed: 'an object of agents and their settings',
  },
  approve: {
    topic: 'Permissions',
    applies: 'at once',
    description: 'what is auto-approved (docs/permissions.md)',
    schema: z.enum(APPROVAL_LEVELS),
    allowed: 'none, reads, edits or all',
  },
  /** What agents may do, see rule-settings.ts. */
  permissions: {
    topic: 'Permissions',
    applies: 'at once',
    description: 'permission rules (docs/permissions.md)',
    schema: ruleLists,
    allowed: RULE_LISTS_ALLOWED,
  },
  /** Where agents are looked up, and whether without asking; see docs/using-agents.md. */
  registry: {
    topic: 'Agents',
    applies: 'at the next start',
    description: 'the agent registry, and whether to contact it without asking',
    schema: z.strictObject({url: z.optional(text), contact: z.optional(z.boolean())}),
    allowed: 'url (an https URL) and contact (true or false)',
    fields: {
      url: {description: 'URL of the agent registry', schema: text, allowed: 'an https URL'},
      contact: {...flag, description: 'whether the registry is contacted without asking', applies: 'at once'},
    },
  },
  theme: {
    topic: 'Appearance',
    applies: 'at once',
    description: 'color theme',
    schema: text,
    allowed: `the name of a theme: ${THEME_NAMES.join(', ')}, or your own`,
  },
  themes: {
    topic: 'Appearance',
    applies: 'at once',
    description: 'your own color themes by name (docs/themes.md)',
    schema: z.record(text, themeSettings),
    allowed: 'an object of themes, such as {"mine": {"base": "dark", "dark": {"accent": "#ff79c6"}}}',
    entry: {schema: themeSettings, allowed: THEME_ALLOWED},
  },
  agentColors: {
    topic: 'Appearance',
    applies: 'at once',
    description: "colors of agents in the prompt's box and for their names, by a word in the name",
    schema: z.record(text, color),
    allowed: 'an object of words and colors, such as {"claude": "#e8a87c"}',
    entry: {schema: color, allowed: 'a color such as "#e8a87c"'},
  },
  /** Linear output with words; see docs/accessibility.md. */
  screenReader: {
    topic: 'Appearance',
    applies: 'at the next start',
    description: 'output for screen readers: lines of words, nothing is redrawn (docs/accessibility.md)',
    ...flag,
  },
  reducedMotion: {
    topic: 'Appearance',
    applies: 'at once',
    description: 'no animation',
    ...flag,
  },
  glyphs: {
    topic: 'Appearance',
    applies: 'at the next start',
    description: 'character set of the screen; auto follows the locale',
    schema: z.enum(GLYPHS),
    allowed: 'auto, unicode or ascii',
  },
  notifications: {
    topic: 'Appearance',
    applies: 'at once',
    description:
      'how to notify you while the terminal is not focused: notification with a bell, bell, or nothing',
    schema: z.enum(NOTIFICATION_LEVELS),
    allowed: 'all, bell or off',
  },
  /** Which sessions are kept, see docs/reliability.md. */
  sessions: {
    topic: 'Storage',
    applies: 'at the next start',
    description:
      'whether and how long sessions are stored, and how much space they may use (docs/reliability.md)',
    schema: z.strictObject({
      save: z.optional(flag.schema),
      keepDays: z.optional(amount.schema),
      maxBytes: z.optional(amount.schema),
    }),
    allowed: 'save (true or false), keepDays and maxBytes (numbers greater than 0)',
    fields: {
      save: {...flag, description: 'whether sessions, drafts and the prompt history are stored'},
      keepDays: {...amount, description: 'days after which stored sessions are deleted'},
      maxBytes: {...amount, description: 'bytes that stored sessions may use before the oldest are deleted'},
    },
  },
  /** What `acp-tui review` compares, see docs/review.md. */
  snapshots: {
    topic: 'Storage',
    applies: 'at the next start',
    description:
      'whether snapshots of the folder are taken around turns, and how long they are kept (docs/review.md)',
    schema: z.strictObject({
      take: z.optional(flag.schema),
      keepDays: z.optional(amount.schema),
    }),
    allowed: 'take (true or false) and keepDays (a number greater than 0)',
    fields: {
      take: {...flag, description: 'whether snapshots of the folder are taken around turns'},
      keepDays: {...amount, description: 'days after which snapshots are deleted'},
    },
  },
  editing: {
    topic: 'Keys',
    applies: 'at once',
    description: 'how the prompt is edited',
    schema: z.enum(EDITING),
    allowed: 'readline or vim',
  },
  screen: {
    topic: 'Appearance',
    applies: 'at once',
    description: 'screen mode: inline in the scrollback, or full (docs/full-screen.md)',
    schema: z.enum(SCREENS),
    allowed: 'inline or full',
  },
  sidePanel: {
    ...flag,
    topic: 'Appearance',
    applies: 'at once',
    description: 'whether a wide full screen has a side panel (docs/full-screen.md)',
  },
  mouse: {
    ...flag,
    topic: 'Keys',
    applies: 'at once',
    description: 'whether the full screen reads the mouse (docs/full-screen.md)',
  },
  images: {
    topic: 'Appearance',
    applies: 'at once',
    description:
      'how pictures are drawn: as the terminal supports, as half blocks, or as names only (docs/screens.md)',
    schema: z.enum(IMAGE_LEVELS),
    allowed: 'auto, blocks or off',
  },
  /** What must have been visible before a request can be allowed, see docs/permissions.md. */
  requireReading: {
    topic: 'Permissions',
    applies: 'at once',
    description: 'what must be visible before a request can be allowed (docs/permissions.md)',
    schema: z.enum(READING_LEVELS),
    allowed: 'all, commands or none',
  },
  /** Custom keys for actions; app/keymap/key-settings.ts parses them. */
  keys: {
    topic: 'Keys',
    applies: 'at once',
    description: 'custom keybindings by action (docs/keys.md)',
    schema: z.record(z.string(), keysOfAction),
    allowed: 'an object of actions and their keys, such as {"undo": ["ctrl+u"], "suspend": null}',
    entry: {schema: keysOfAction, allowed: 'a key, a list of keys, or null'},
  },
  /** For all agents; see mcp/. */
  mcpServers: {
    topic: 'Agents',
    applies: 'at the next start',
    description: 'MCP servers for every agent (docs/mcp.md)',
    schema: mcpServers,
    allowed: MCP_SERVERS_ALLOWED,
    entry: {schema: mcpServer, allowed: MCP_SERVER_ALLOWED},
  },
} as const satisfies Readonly<Record<string, SettingSpec>>;

export type SettingName = keyof typeof settingFields;
export type Settings = {
  readonly [Name in SettingName]?: z.infer<(typeof settingFields)[Name]['schema']>;
};

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingFields, name);
}

/** Environment variables that override settings, with the path of each setting. */
export const VARIABLES: readonly (readonly [variable: string, path: readonly [SettingName, ...string[]]])[] =
  [
    ['ACP_TUI_AGENT', ['agent']],
    ['ACP_TUI_APPROVE', ['approve']],
    ['ACP_TUI_THEME', ['theme']],
    ['ACP_TUI_REGISTRY_URL', ['registry', 'url']],
  ];

/** The default values. */
export const DEFAULTS = {
  agent: 'demo',
  approve: 'none',
  theme: AUTO,
  screen: 'inline',
  sidePanel: true,
  mouse: true,
  images: 'auto',
  editing: 'readline',
  requireReading: 'commands',
  screenReader: false,
  reducedMotion: false,
  glyphs: 'auto',
  notifications: 'all',
  sessions: {save: true, maxBytes: 4 * 1024 ** 3},
  snapshots: {take: true, keepDays: 14},
} as const satisfies Settings;

/** The same with these settings: by default, the agent used last. */
export function defaultSettings({lastAgent}: Settings): Settings {
  return {...DEFAULTS, agent: lastAgent ?? DEFAULTS.agent};
}
