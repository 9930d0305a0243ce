import * as z from 'zod/mini';
import type {ScreenMode} from '../app/pages/viewer-state.ts';
import {LOG_LEVELS, type LogLevel} from '../shared/log-level.ts';
import {APPROVAL_LEVELS, type ApprovalLevel} from '../session/actions.ts';
import {notEmpty, oneOf, pair, seconds} from './option-schemas.ts';

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json', 'acp', 'quiet'] as const;
export const INCLUDES = ['thoughts', 'tools', 'plan', 'usage'] as const;

/** Of the Agent Client Protocol; 2 is a draft. */
export const PROTOCOL_VERSIONS = ['1', '2'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export type Include = (typeof INCLUDES)[number];

/** The parsed options. Absent means not passed: settings and defaults apply later. */
export const optionsSchema = z.object({
  agent: z.optional(notEmpty('--agent')),
  cwd: z.optional(notEmpty('--cwd')),
  addDir: z.prefault(z.array(notEmpty('--add-dir')), []),
  continue: z.prefault(z.boolean(), false),
  resume: z.optional(z.union([z.literal(true), notEmpty('--resume')])),
  fork: z.prefault(z.boolean(), false),
  mcpConfig: z.prefault(z.array(notEmpty('--mcp-config')), []),
  systemPrompt: z.optional(notEmpty('--system-prompt')),
  appendSystemPrompt: z.optional(notEmpty('--append-system-prompt')),
  mode: z.optional(notEmpty('--mode')),
  model: z.optional(notEmpty('--model')),
  set: z.prefault(z.array(pair('--set', 'option=value')), []),
  approve: z.optional(oneOf('--approve', APPROVAL_LEVELS)),
  protocol: z.optional(oneOf('--protocol', PROTOCOL_VERSIONS)),
  fs: z.prefault(z.boolean(), true),
  terminal: z.prefault(z.boolean(), true),
  save: z.prefault(z.boolean(), true),
  record: z.optional(notEmpty('--record')),
  mask: z.prefault(z.boolean(), true),
  auth: z.optional(notEmpty('--auth')),
  env: z.prefault(z.array(pair('--env', 'NAME=value')), []),
  inline: z.prefault(z.boolean(), false),
  fullscreen: z.prefault(z.boolean(), false),
  screenReader: z.prefault(z.boolean(), false),
  /** Checked against the settings, which may have more. */
  theme: z.optional(notEmpty('--theme')),
  color: z.prefault(z.boolean(), true),
  logLevel: z.optional(oneOf('--log-level', LOG_LEVELS)),
  logFile: z.optional(notEmpty('--log-file')),
  print: z.prefault(z.boolean(), false),
  stdin: z.prefault(z.boolean(), false),
  file: z.prefault(z.array(notEmpty('--file')), []),
  outputFormat: z.optional(oneOf('--output-format', OUTPUT_FORMATS)),
  output: z.optional(notEmpty('--output')),
  saveContent: z.optional(notEmpty('--save-content')),
  timeout: z.optional(seconds),
  include: z.prefault(z.array(oneOf('--include', INCLUDES)), []),
});
export type GivenOptions = z.infer<typeof optionsSchema>;

/** Which session to resume. */
type ResumeRequest =
  | {readonly which: 'newest'}
  | {readonly which: 'chosen'}
  /** By acp-tui's id, the agent's, or a prefix. */
  | {readonly which: 'named'; readonly id: string};

/** Options of windows and print mode. Paths are as typed, relative to the current folder. */
export interface CommonOptions {
  readonly agent: string | undefined;
  readonly cwd: string | undefined;
  readonly additionalDirectories: readonly string[];
  /** MCP config files. */
  readonly mcpConfig: readonly string[];
  /** An earlier session to resume. */
  readonly resumeRequest: ResumeRequest | undefined;
  /** True to fork it. */
  readonly fork: boolean;
  /** Instructions for the agent: replacing its own, and appended to them. */
  readonly systemPrompt: {readonly override?: string; readonly append?: string};
  readonly settings: {
    readonly mode?: string;
    readonly model?: string;
    readonly options: readonly (readonly [id: string, value: string])[];
  };
  /** Undefined if not passed: a setting decides, else `none` in a window and `reads` in print mode. */
  readonly approve: ApprovalLevel | undefined;
  readonly offer: {readonly fs: boolean; readonly terminal: boolean; readonly protocolVersion?: 2};
  /** False stores nothing of this run. */
  readonly save: boolean;
  /** File for the protocol messages; credentials are masked unless `mask` is false. */
  readonly record: {readonly file: string; readonly mask: boolean} | undefined;
  readonly authMethod: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly screenReader: boolean;
  readonly theme: string | undefined;
  /** Undefined if not passed: a setting decides. */
  readonly screen: ScreenMode | undefined;
  readonly color: boolean;
  readonly logLevel: LogLevel | undefined;
  readonly logFile: string | undefined;
}

/** Returns the parsed options with defaults, as options of a run. */
export function commonOptions(given: GivenOptions): CommonOptions {
  const {mode, model, systemPrompt: override, appendSystemPrompt: append} = given;
  return {
    agent: given.agent,
    cwd: given.cwd,
    additionalDirectories: given.addDir,
    mcpConfig: given.mcpConfig,
    resumeRequest: resumeRequestOf(given),
    fork: given.fork,
    systemPrompt: {...(override !== undefined && {override}), ...(append !== undefined && {append})},
    settings: {...(mode !== undefined && {mode}), ...(model !== undefined && {model}), options: given.set},
    approve: given.approve,
    offer: {
      fs: given.fs,
      terminal: given.terminal,
      ...(given.protocol === '2' && {protocolVersion: 2}),
    },
    save: given.save,
    record: given.record === undefined ? undefined : {file: given.record, mask: given.mask},
    authMethod: given.auth,
    env: Object.fromEntries(given.env),
    screenReader: given.screenReader,
    theme: given.theme,
    screen: given.fullscreen ? 'full' : given.inline ? 'inline' : undefined,
    color: given.color,
    logLevel: given.logLevel,
    logFile: given.logFile,
  };
}

function resumeRequestOf({continue: newest, resume}: GivenOptions): ResumeRequest | undefined {
  if (newest) return {which: 'newest'};
  if (resume === undefined) return undefined;
  return resume === true ? {which: 'chosen'} : {which: 'named', id: resume};
}

export interface InteractiveOptions extends CommonOptions {
  /** Sent first; undefined if there is none. */
  readonly prompt: string | undefined;
}

export interface PrintOptions extends CommonOptions {
  /** The arguments; '' if there are none. */
  readonly prompt: string;
  /** True if standard input is part of the prompt; it is appended to the arguments. */
  readonly readStdin: boolean;
  readonly files: readonly string[];
  readonly format: OutputFormat;
  /** File for the last message. */
  readonly output: string | undefined;
  /** Folder for images and files in answers and tool results. */
  readonly saveContent: string | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly include: ReadonlySet<Include>;
}
