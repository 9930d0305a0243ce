import type {Option} from 'commander';
import * as z from 'zod/mini';
import type {ScreenMode} from '../app/pages/viewer-state.ts';
import {PROTOCOLS} from '../session/settings/protocol.ts';
import {THEME_NAMES} from '../app/themes/themes.ts';
import {LOG_LEVELS} from '../shared/log-level.ts';
import {parseRule, RULE_FORM} from '../session/requests/permission-rules.ts';
import {APPROVAL_LEVELS} from '../session/settings/approval.ts';
import {
  amount,
  choice,
  choices,
  flag,
  longFlag,
  option,
  notEmpty,
  pairs,
  rare,
  schemaOf,
  seconds,
  text,
  texts,
  withChoices,
  type OptionTable,
  type OptionValues,
} from './option-table.ts';

const OUTPUT_FORMATS = ['text', 'json', 'stream-json', 'acp', 'quiet'] as const;
export const INCLUDES = ['thoughts', 'tools', 'plan', 'usage'] as const;

/** Of the Agent Client Protocol; 2 is a draft. */

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export type Include = (typeof INCLUDES)[number];

function group<Table extends OptionTable>(heading: string, table: Table): Table {
  for (const {option} of Object.values<{readonly option: Option}>(table)) option.helpGroup(heading);
  return table;
}

export const protocolOption = () =>
  choice(
    '--protocol <version>',
    'version of the protocol; 2 is a preview, auto is 2 with agents tested with it (default: the setting)',
    PROTOCOLS,
  );

function rules(flags: string, description: string) {
  const error = ({input}: {readonly input?: unknown}) =>
    `${longFlag(flags)} must be ${RULE_FORM}, not "${String(input)}".`;
  const rule = z.string().check(z.refine((text) => parseRule(text) !== undefined, {error}));
  return {...texts(flags, description), schema: z.optional(z.array(rule))};
}

/** Rules for one run. Nobody is asked in a script, so there is none that asks. */
export const ruleOptions = () => ({
  allow: rules(
    '--allow <rule>',
    'allow what matches, such as "execute npm test*" (acp-tui help permissions)',
  ),
  deny: rules('--deny <rule>', 'deny what matches'),
});

/** Options of a run, by the names that commander gives them, in the order of the help. Absent means not passed: settings and defaults apply later. */
export const RUN_OPTIONS = {
  ...group('Agent:', {
    agent: text(
      '-a, --agent <agent>',
      'command line, name or URL (default: the setting; a window without it starts the one used last, or asks)',
    ),
    env: pairs('--env <NAME=value>', 'environment variable for the agent'),
    auth: text('--auth <method>', 'sign in with this method first'),
    protocol: rare(protocolOption()),
    fs: flag('--no-fs', 'do not offer file access to the agent'),
    terminal: flag('--no-terminal', 'do not offer commands to the agent'),
  }),
  ...group('Session:', {
    cwd: text('-C, --cwd <dir>', 'working folder'),
    addDir: texts('--add-dir <dir>', 'add a folder to the workspace'),
    continue: flag('-c, --continue', 'resume the newest session of the folder'),
    resume: option(
      '-r, --resume [id]',
      'resume a session by ID or title; without, select one from a list',
      z.optional(z.union([z.literal(true), notEmpty('--resume')])),
    ),
    fork: flag('--fork', 'with -c or -r: fork the session'),
    worktree: option(
      '-w, --worktree [name]',
      'work in a git worktree of its own, with the files as they are now (acp-tui help worktrees)',
      z.optional(z.union([z.literal(true), notEmpty('--worktree')])),
    ),
    mcpConfig: texts('--mcp-config <file>', 'MCP config file (the mcpServers format)'),
    systemPrompt: text('--system-prompt <text>', "replace the agent's own instructions"),
    appendSystemPrompt: text('--append-system-prompt <text>', "add to the agent's own instructions"),
    mode: text('--mode <id>', 'session mode'),
    model: text('--model <id>', 'model'),
    set: pairs('--set <option=value>', 'set any other option of the agent'),
    approve: choice(
      '--approve <level>',
      'what is auto-approved (default: none; with -p: reads)',
      APPROVAL_LEVELS,
    ),
    ...ruleOptions(),
    maxCost: amount('--max-cost <amount>', 'stop when the session has cost that much'),
    maxTokens: amount('--max-tokens <count>', 'stop when the session has used that many tokens'),
    maxTurns: amount('--max-turns <count>', 'stop before the session has more turns than that'),
    maxTime: amount('--max-time <minutes>', 'stop when the turns of the session have taken that long'),
    waitForLimits: option(
      '--wait-for-limits',
      "when a limit of the agent's provider ends at a known time, wait for it and send the prompt again",
      z.optional(z.boolean()),
    ),
    sandbox: option(
      '--sandbox',
      'run the agent and all it starts in a sandbox (acp-tui help sandbox)',
      z.optional(z.boolean()),
    ),
    noSandbox: option('--no-sandbox', 'run it without, whatever your settings say', z.optional(z.never())),
    background: flag('-b, --background', 'start the session in the background, and print its ID'),
    wait: flag('--wait', 'with -b: wait for the end of the turn, and print the last message'),
    save: flag('--no-save', 'store nothing: no session, drafts or history'),
    record: text('--record <file>', 'record every protocol message to this file'),
    mask: rare(flag('--no-mask', 'keep credentials in the recording')),
  }),
  ...group('Screen:', {
    inline: rare(flag('--inline', "draw in the terminal's own scrollback (the default)")),
    fullscreen: flag('--fullscreen', 'use the full screen, with a scrollable transcript'),
    screenReader: flag('--screen-reader', 'print lines for screen readers, without redrawing'),
    /** Checked against the settings, which may have more. */
    theme: withChoices(text('--theme <name>', `color theme: ${THEME_NAMES.join(', ')}`), THEME_NAMES),
    color: flag('--no-color', 'no colors'),
  }),
};

/** Options that only apply to print mode. */
export const PRINT_OPTIONS = group('Print mode:', {
  print: flag('-p, --print', 'non-interactive: print the answer and exit; what would ask is rejected'),
  stdin: flag(
    '--stdin',
    'send all of standard input after the arguments, even if another program reads it, too (as does the argument -)',
  ),
  file: texts('-f, --file <path>', 'attach a file'),
  outputFormat: choice('--output-format <format>', 'format of stdout (default: text)', OUTPUT_FORMATS),
  output: text('-o, --output <file>', 'also write the last message to a file'),
  saveContent: text('--save-content <dir>', 'write the images and files of the answer there'),
  timeout: option('--timeout <seconds>', 'cancel after this time and exit', z.optional(seconds)),
  verbose: flag('--verbose', `also print to stderr: ${INCLUDES.join(', ')}`),
  include: rare(choices('--include <what>', 'also print to stderr', INCLUDES)),
});

export const LOG_OPTIONS = group('Other:', {
  logLevel: rare(choice('--log-level <level>', 'log level', LOG_LEVELS)),
  logFile: rare(text('--log-file <file>', 'log file (default: in the state folder)')),
});

const runOptions = {...RUN_OPTIONS, ...LOG_OPTIONS};
export const runSchema = schemaOf(runOptions);
export const printSchema = schemaOf(PRINT_OPTIONS);
export type RunValues = OptionValues<typeof runOptions>;
export type PrintValues = OptionValues<typeof PRINT_OPTIONS>;

/** Options of windows and print mode; a new one is passed on under its name. Paths are as typed, relative to the current folder. */
export type CommonOptions = Readonly<ReturnType<typeof commonOptions>>;

/** Returns the parsed options with defaults, as options of a run. What is undefined was not passed: a setting decides. */
export function commonOptions({
  addDir,
  auth: authMethod,
  continue: newest,
  resume,
  worktree,
  systemPrompt: override,
  appendSystemPrompt: append,
  mode,
  model,
  set,
  fs,
  terminal,
  record,
  mask,
  env,
  inline,
  fullscreen,
  ...others
}: RunValues) {
  const additionalDirectories: readonly string[] = addDir;
  const screen: ScreenMode | undefined = fullscreen ? 'full' : inline ? 'inline' : undefined;
  return {
    ...others,
    additionalDirectories,
    authMethod,
    /** The earlier session to resume. */
    resumeRequest: newest ? ({which: 'newest'} as const) : resumeRequestOf(resume),
    /** The worktree that it gets; undefined for none. */
    worktree: worktreeRequestOf(worktree),
    /** Instructions for the agent: replacing its own, and appended to them. */
    systemPrompt: {...(override !== undefined && {override}), ...(append !== undefined && {append})},
    settings: {...(mode !== undefined && {mode}), ...(model !== undefined && {model}), options: set},
    offer: {fs, terminal},
    /** File for the protocol messages; credentials are masked unless `mask` is false. */
    record: record === undefined ? undefined : {file: record, mask},
    env: Object.fromEntries(env),
    screen,
  };
}

/** The earlier session to resume: by acp-tui's id, the agent's, a prefix or the name; or the one that the user selects in the list. */
type ResumeRequest =
  {readonly which: 'named'; readonly id: string} | {readonly which: 'chosen'; readonly filter?: string};

function resumeRequestOf(resume: RunValues['resume']): ResumeRequest | undefined {
  if (resume === undefined) return undefined;
  return resume === true ? {which: 'chosen'} : {which: 'named', id: resume};
}

/** A worktree for a new session. */
export interface WorktreeRequest {
  readonly name?: string | undefined;
  /** Otherwise its name is made of this. */
  readonly prompt?: string | undefined;
  /** True if the session works in the folder itself if that is in no repository, or in one without commits or files. */
  readonly isOptional?: true;
}

function worktreeRequestOf(worktree: RunValues['worktree']): WorktreeRequest | undefined {
  if (worktree === undefined) return undefined;
  return worktree === true ? {} : {name: worktree};
}

/** Options of a run that stores nothing, approves nothing and offers nothing. */
export function passiveOptions(options: Partial<CommonOptions>): CommonOptions {
  const offer = {fs: false, terminal: false};
  return {...commonOptions(runSchema.parse({})), ...options, approve: 'none', offer, save: false};
}

export interface InteractiveOptions extends CommonOptions {
  /** Sent first; undefined if there is none. */
  readonly prompt: string | undefined;
}

export interface BackgroundOptions extends InteractiveOptions, Pick<PrintOptions, 'readStdin'> {}

export interface PrintOptions extends CommonOptions, Pick<PrintValues, 'output' | 'saveContent'> {
  /** The arguments; '' if there are none. */
  readonly prompt: string;
  /** True if standard input is part of the prompt; it is appended to the arguments. */
  readonly readStdin: boolean;
  readonly files: readonly string[];
  readonly format: OutputFormat;
  readonly timeoutSeconds: number | undefined;
  readonly include: ReadonlySet<Include>;
}
