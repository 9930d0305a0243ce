import * as z from 'zod/mini';
import type {Sandbox} from '../../sandbox/sandbox.ts';
import type {Hook} from '../../session/settings/hooks.ts';
import type {RuleEffect} from '../../session/requests/permission-rules.ts';
import {startUserProgram, type RunningProgram} from '../../host/shell/user-program.ts';
import {jsonOf} from '../../text/json.ts';
import {sanitize, sanitizeLine} from '../../text/sanitize.ts';

/** Characters of a variable, as many as a path can have on Linux. */
const MAX_VARIABLE = 4096;
/** Characters of a text that are used. */
const MAX_TEXT = 10_000;

/** What a hook says; all of it may be missing. */
export interface HookOutput {
  /** `deny` also keeps a prompt from being sent. */
  readonly effect?: RuleEffect | undefined;
  readonly reason?: string | undefined;
  /** For the agent. */
  readonly context?: string | undefined;
  /** For the user. */
  readonly message?: string | undefined;
}

/** What a hook gets: the fields of its event, and those that all have. */
export interface HookJson {
  readonly session_id: string | undefined;
  readonly cwd: string;
  readonly hook_event_name: Hook['event'];
  /** As the user started it, and as it calls itself. */
  readonly agent: {readonly name: string; readonly claimed_name: string | undefined};
  readonly tool_input?: {readonly file_path?: string};
  readonly message?: string;
}

interface HookPlace {
  readonly cwd: string;
  /** What it inherits. */
  readonly environment: NodeJS.ProcessEnv;
  /** Undefined if it runs outside. */
  readonly sandbox: Sandbox | undefined;
}

/** Starts a hook with JSON on its standard input; a line of shell finds what it mostly needs in its environment. */
export function startHook(
  {command, seconds}: Hook,
  input: HookJson,
  {cwd, environment, sandbox}: HookPlace,
): RunningProgram {
  const {tool_input: call, message} = input;
  const own = {
    CLAUDE_PROJECT_DIR: cwd,
    ...variable('ACP_TUI_FILE', call?.file_path),
    ...variable('ACP_TUI_MESSAGE', message),
  };
  const program = {command, input: `${JSON.stringify(input)}\n`, limitMs: seconds * 1000};
  return startUserProgram({...program, cwd, environment, own, sandbox});
}

/** A variable for a text of the agent's; none for what cannot be in an environment. */
function variable(name: string, value: string | undefined): NodeJS.ProcessEnv {
  const fits = value !== undefined && value.length <= MAX_VARIABLE && !value.includes('\0');
  return fits ? {[name]: value} : {};
}

const text = z.optional(z.string());
const output = z.object({
  decision: text,
  reason: text,
  systemMessage: text,
  hookSpecificOutput: z.optional(
    z.object({
      additionalContext: text,
      permissionDecision: text,
      permissionDecisionReason: text,
      decision: z.optional(z.object({behavior: text, message: text})),
    }),
  ),
});

const EFFECTS: Readonly<Record<string, RuleEffect>> = {
  allow: 'allow',
  approve: 'allow',
  ask: 'ask',
  block: 'deny',
  deny: 'deny',
};

/** Events at which what a hook prints, if it is not JSON, is for the agent. */
const TAKES_TEXT = new Set<Hook['event']>(['SessionStart', 'UserPromptSubmit']);

/**
 * Reads what a hook has printed, by the conventions of Claude Code: exit code 2 is a no with the reason on standard error, any other one but 0 a failure. JSON
 * has the rest.
 */
export async function answerOf(
  {event}: Hook,
  {ended}: RunningProgram,
): Promise<HookOutput | {problem: string}> {
  const end = await ended;
  if ('problem' in end) return end;
  const {exitCode, stdout, stderr} = end;
  if (exitCode === 2) return {effect: 'deny', reason: short(stderr)};
  if (exitCode !== 0) {
    const said = sanitizeLine(stderr.trim()).slice(0, 200);
    return {problem: `It exited with code ${exitCode}${said === '' ? '.' : `: ${said}`}`};
  }
  if (!stdout.trimStart().startsWith('{')) return TAKES_TEXT.has(event) ? {context: short(stdout)} : {};
  const parsed = output.safeParse(jsonOf(stdout.trimStart()));
  if (!parsed.success) return {problem: 'It printed JSON that is not an answer of a hook.'};
  const {decision, reason, systemMessage, hookSpecificOutput: specific = {}} = parsed.data;
  const said = specific.decision?.behavior ?? specific.permissionDecision ?? decision;
  if (said !== undefined && !Object.hasOwn(EFFECTS, said))
    return {problem: `It printed an unknown decision: ${sanitizeLine(said).slice(0, 40)}`};
  return {
    effect: said === undefined ? undefined : EFFECTS[said],
    reason: short(specific.decision?.message ?? specific.permissionDecisionReason ?? reason),
    context: short(specific.additionalContext),
    message: short(systemMessage),
  };
}

function short(given: string | undefined): string | undefined {
  return given === undefined ? undefined : sanitize(given.slice(0, MAX_TEXT)).trim() || undefined;
}
