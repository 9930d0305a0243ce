import {MAX_STORED_BYTES} from '../../shared/limits.ts';
import * as z from 'zod/mini';
import {APPROVAL_LEVELS} from '../../session/settings/approval.ts';
import {PROTOCOLS} from '../../session/settings/protocol.ts';
import {EDITING, IMAGE_LEVELS, NOTIFICATION_LEVELS, STATUS_ITEMS} from '../../app/preferences.ts';
import {AUTO, THEME_NAMES} from '../../app/themes/themes.ts';
import {MCP_SERVER_ALLOWED, mcpServer, mcpServers, MCP_SERVERS_ALLOWED} from './server-settings.ts';
import type {AgentsSettings} from './agent-settings.ts';
import {HOOK_EVENTS_ELSEWHERE, hookSettings} from './hook-settings.ts';
import {limitSettings} from './limit-settings.ts';
import {RULE_LISTS_ALLOWED, ruleLists} from './rule-settings.ts';
import {sandboxSettings} from './sandbox-settings.ts';
import {SCREENS} from '../../app/pages/viewer-state.ts';
import {READING_LEVELS} from '../../app/requests/seen-rows.ts';
import {amount, flag, listOf, oneOf, parts, text, type SettingField, words} from './setting-fields.ts';
import {worktreeSettings} from './worktree-settings.ts';
import {color, THEME_ALLOWED, themeSettings} from './theme-settings.ts';
import {isJsonObject} from '../../text/json.ts';

/** Topics of the settings screen, in this order; those of single agents follow. */
export const TOPICS = ['Appearance', 'Keys', 'Permissions', 'Agents', 'Storage'] as const;

/** When a changed setting applies. */
type Applies = 'at once' | 'in new sessions' | 'at the next start';

export interface SettingSpec extends SettingField {
  readonly description: string;
  readonly topic: (typeof TOPICS)[number];
  readonly applies: Applies;
  readonly default?: unknown;
  /** True if the file of a folder may have it. */
  readonly inFolder?: true;
}

const ofAgents = {topic: 'Agents', applies: 'at the next start'} as const;
const shownAtOnce = {topic: 'Appearance', applies: 'at once'} as const;
const statusItems = listOf(STATUS_ITEMS);
const keysOfAction = z.union([words, z.array(words), z.null()]);

/** Each setting: checks, screens, commands and pages read all about it here; `entry` and `fields` describe nested values. */
export const settingFields = {
  agent: {
    ...text('the name or command line of an agent'),
    ...ofAgents,
    description: 'the default agent; a window without it uses the one used last',
    variable: 'ACP_TUI_AGENT',
    inFolder: true,
  },
  /** By name; each is read separately, see agent-settings.ts. */
  agents: {
    topic: 'Agents',
    applies: 'in new sessions',
    description: 'your own agents by name, and settings for each (acp-tui help agents)',
    schema: z.custom<AgentsSettings>(isJsonObject),
    allowed: 'an object of agents and their settings',
    inFolder: true,
  },
  protocol: {
    ...oneOf(PROTOCOLS),
    ...ofAgents,
    description: 'version of the protocol; 2 is a preview, auto is 2 with agents tested with it',
    default: '1',
  },
  approve: {
    ...oneOf(APPROVAL_LEVELS),
    topic: 'Permissions',
    applies: 'at once',
    description: 'what is auto-approved (acp-tui help permissions)',
    default: 'none',
    variable: 'ACP_TUI_APPROVE',
  },
  /** The sandbox of an agent and all it starts. The file of a folder can only make it tighter. */
  sandbox: {
    topic: 'Permissions',
    applies: 'in new sessions',
    description: 'the sandbox of agents (acp-tui help sandbox)',
    ...sandboxSettings,
    default: {enabled: false, sockets: 'none', network: 'ask'},
    inFolder: true,
  },
  /** What agents may do, see rule-settings.ts. */
  permissions: {
    topic: 'Permissions',
    applies: 'at once',
    description: 'permission rules (acp-tui help permissions)',
    schema: ruleLists,
    allowed: RULE_LISTS_ALLOWED,
    inFolder: true,
  },
  /** Programs at events, see hook-settings.ts. */
  hooks: {
    topic: 'Permissions',
    applies: 'at once',
    description: 'programs that run at events, and may decide (acp-tui help commands-and-hooks)',
    ...hookSettings,
    otherNames: HOOK_EVENTS_ELSEWHERE,
    inFolder: true,
  },
  /** See session/queue/provider-limit.ts. */
  waitForLimits: {
    ...flag,
    topic: 'Agents',
    applies: 'in new sessions',
    description:
      'whether a prompt that fails at a limit of the provider is sent again when that ends, without asking (acp-tui help chat)',
    default: false,
  },
  otherCommands: {
    ...oneOf(['ask', 'on', 'off']),
    topic: 'Agents',
    applies: 'in new sessions',
    description:
      'whether commands of Claude Code, Codex, Gemini CLI and opencode are used (acp-tui help commands-and-hooks)',
    default: 'ask',
  },
  /** Where agents are looked up, and whether without asking; see docs/agents.md. */
  registry: {
    ...ofAgents,
    description: 'the agent registry, and whether to contact it without asking',
    ...parts({
      url: {
        ...text('an https URL'),
        description: 'URL of the agent registry',
        variable: 'ACP_TUI_REGISTRY_URL',
      },
      contact: {...flag, description: 'whether the registry is contacted without asking', applies: 'at once'},
    }),
  },
  theme: {
    ...text(`the name of a theme: ${THEME_NAMES.join(', ')}, or your own`),
    ...shownAtOnce,
    description: 'color theme',
    default: AUTO,
    variable: 'ACP_TUI_THEME',
  },
  themes: {
    ...shownAtOnce,
    description: 'your own color themes by name (acp-tui help screen)',
    schema: z.record(words, themeSettings),
    allowed: 'an object of themes, such as {"mine": {"base": "dark", "dark": {"accent": "#ff79c6"}}}',
    entry: {schema: themeSettings, allowed: THEME_ALLOWED},
  },
  agentColors: {
    ...shownAtOnce,
    description: "colors of agents in the prompt's box and for their names, by a word in the name",
    schema: z.record(words, color),
    allowed: 'an object of words and colors, such as {"claude": "#e8a87c"}',
    entry: {schema: color, allowed: 'a color such as "#e8a87c"'},
  },
  accessibility: {
    ...shownAtOnce,
    description: 'screen readers, motion and glyphs (acp-tui help screen)',
    ...parts({
      screenReader: {
        ...flag,
        description: 'output for screen readers: lines of words, nothing is redrawn (acp-tui help screen)',
        applies: 'at the next start',
      },
      reducedMotion: {...flag, description: 'no animation'},
      glyphs: {
        ...oneOf(['auto', 'unicode', 'ascii']),
        description: 'character set of the screen; auto follows the locale',
        applies: 'at the next start',
      },
      images: {
        ...oneOf(IMAGE_LEVELS),
        description:
          'how pictures are drawn: as the terminal supports, as half blocks, or as names only (acp-tui help screen)',
      },
    }),
    default: {screenReader: false, reducedMotion: false, glyphs: 'auto', images: 'auto'},
  },
  notifications: {
    ...oneOf(NOTIFICATION_LEVELS),
    ...shownAtOnce,
    description:
      'how to notify you while the terminal is not focused: notification with a bell, bell, or nothing',
    default: 'all',
  },
  limits: limitSettings,
  background: {
    topic: 'Storage',
    applies: 'at the next start',
    description: 'sessions in the background (acp-tui help sessions)',
    ...parts({
      enabled: {
        ...flag,
        description:
          'whether new sessions run in the background, and go on without their window (acp-tui help sessions)',
      },
      idleHours: {
        ...amount,
        description: 'hours until an idle background session that no window shows is ended',
      },
    }),
    default: {enabled: false, idleHours: 1},
  },
  /** Which sessions are kept, see docs/sessions.md. */
  sessions: {
    topic: 'Storage',
    applies: 'at the next start',
    description:
      'whether and how long sessions are stored, and how much space they may use (acp-tui help sessions)',
    ...parts({
      save: {
        ...flag,
        description: 'whether sessions, drafts and the prompt history are stored',
        protects: true,
      },
      keepDays: {...amount, description: 'days after which stored sessions are deleted'},
      maxBytes: {...amount, description: 'bytes that stored sessions may use before the oldest are deleted'},
    }),
    default: {save: true, maxBytes: MAX_STORED_BYTES},
  },
  /** What `acp-tui review` compares, see docs/review.md. */
  snapshots: {
    topic: 'Storage',
    applies: 'at the next start',
    description:
      'whether snapshots of the folder are taken around turns, and how long they are kept (acp-tui help review)',
    ...parts({
      take: {...flag, description: 'whether snapshots of the folder are taken around turns', protects: true},
      keepDays: {...amount, description: 'days after which snapshots are deleted'},
    }),
    default: {take: true, keepDays: 14},
  },
  worktrees: worktreeSettings,
  editing: {
    ...oneOf(EDITING),
    topic: 'Keys',
    applies: 'at once',
    description: 'how the prompt is edited',
    default: 'readline',
  },
  screen: {
    ...oneOf(SCREENS),
    ...shownAtOnce,
    description: 'screen mode: inline in the scrollback, or full (acp-tui help screen)',
    default: 'inline',
  },
  sidePanel: {
    ...flag,
    ...shownAtOnce,
    description: 'whether a wide full screen has a side panel (acp-tui help screen)',
    default: true,
  },
  promptSuggestions: {...flag, ...shownAtOnce, description: 'suggested prompts', default: true},
  mouse: {
    ...flag,
    topic: 'Keys',
    applies: 'at once',
    description: 'whether the full screen reads the mouse (acp-tui help screen)',
    default: true,
  },
  statusLine: {
    ...shownAtOnce,
    description:
      "the prompt's lower edge: its parts, in this order, or a command that prints it (acp-tui help screen)",
    schema: z.union([statusItems.schema, z.strictObject({command: words})]),
    allowed: `${statusItems.allowed}; or {"command": "a shell command"}`,
  },
  /** What must have been visible before a request can be allowed, see docs/permissions.md. */
  requireReading: {
    ...oneOf(READING_LEVELS),
    topic: 'Permissions',
    applies: 'at once',
    description: 'what must be visible before a request can be allowed (acp-tui help permissions)',
    default: 'commands',
  },
  /** Custom keys for actions; app/keymap/key-settings.ts parses them. */
  keys: {
    topic: 'Keys',
    applies: 'at once',
    description: 'custom keybindings by action (acp-tui help keys-and-commands)',
    schema: z.record(z.string(), keysOfAction),
    allowed: 'an object of actions and their keys, such as {"undo": ["ctrl+u"], "suspend": null}',
    entry: {schema: keysOfAction, allowed: 'a key, a list of keys, or null'},
  },
  /** For all agents; see mcp/. */
  mcpServers: {
    ...ofAgents,
    description: 'MCP servers for every agent (acp-tui help mcp)',
    schema: mcpServers,
    allowed: MCP_SERVERS_ALLOWED,
    entry: {schema: mcpServer, allowed: MCP_SERVER_ALLOWED},
  },
} as const satisfies Readonly<Record<string, SettingSpec>>;
