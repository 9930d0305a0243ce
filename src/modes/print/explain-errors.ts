import type {AgentCommand} from '../../agents/resolve.ts';
import type {RunOutcome} from '../../cli/exit-codes.ts';
import type {DeniedRequest} from '../../host/services.ts';
import {APPROVAL_LEVELS} from '../../session/settings/approval.ts';
import {signInCommandLine} from '../../session/labels/labels.ts';
import {signInWayOf, type AuthMethod} from '../../shared/authentication.ts';
import {quoteAgentText} from '../../shared/agent-text.ts';
import {failureSentence, describeFailure} from '../../shared/failure-messages.ts';
import type {Failure} from '../../shared/failure.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {quoteWord} from '../../text/shell-quote.ts';

/** The error of a run that did not end normally. */
export interface RunError {
  /** The failure's kind, or `usage`, `timeout`, `refusal`, `limit`, `denied`, `cancelled`. */
  readonly kind: string;
  readonly message: string;
}

interface RefusedRequest extends DeniedRequest {
  /** The subagent that made the request, if any. */
  readonly subagent?: string | undefined;
}

interface Circumstances {
  readonly timeoutSeconds: number | undefined;
  readonly denied: readonly RefusedRequest[];
  /** The session that can be resumed; undefined if there is none. */
  readonly session?: string | undefined;
  /** How the agent was started, for the suggested command. */
  readonly agent: AgentCommand | undefined;
}

/** Further refused requests are only counted. */
const MAX_NAMED = 3;

/** Returns the most important error, in the order of the exit codes; undefined if the turn ended normally, or by a signal. */
export function explainError(
  {signal, timedOut, failure, limitReached, stopReason}: RunOutcome,
  {timeoutSeconds, denied, session, agent}: Circumstances,
): RunError | undefined {
  if (signal) return undefined;
  if (timedOut) {
    return {
      kind: 'timeout',
      message: `Timed out after ${timeoutSeconds} s (--timeout); ${stopReason === 'end_turn' ? 'subagents were still working' : 'the turn was cancelled'}.`,
    };
  }
  if (failure) return {kind: failure.kind, message: failureMessage(failure, agent)};
  switch (stopReason) {
    case 'refusal':
      return {kind: 'refusal', message: 'The agent refused to continue with this prompt.'};
    case 'max_tokens':
      return {
        kind: 'limit',
        message: 'The agent reached its token limit; the answer may be incomplete.',
      };
    case 'max_turn_requests':
      return {
        kind: 'limit',
        message: 'The agent reached its request limit; the work may be incomplete.',
      };
    default:
  }
  if (limitReached !== undefined) return {kind: 'limit', message: limitMessage(limitReached, session)};
  if (denied.length > 0) return {kind: 'denied', message: deniedMessage(denied)};
  if (stopReason === 'cancelled') {
    return {
      kind: 'cancelled',
      message: 'The agent ended the turn as cancelled, but it was not cancelled.',
    };
  }
  return undefined;
}

function limitMessage(reached: string, session: string | undefined): string {
  if (session === undefined) return reached;
  return `${reached} To go on, resume it with a prompt: acp-tui -p --resume ${quoteWord(session)}. The limits of a turn begin anew; raise others first.`;
}

function failureMessage(failure: Failure, agent: AgentCommand | undefined): string {
  return failure.kind === 'authentication_required' && agent
    ? signInHelp(failure, agent)
    : failureSentence(failure);
}

function deniedMessage(denied: readonly RefusedRequest[]): string {
  const byRule = denied.filter(({rule}) => rule !== undefined);
  const byLevel = denied.filter(({rule}) => rule === undefined);
  return [
    ...(byLevel.length > 0 ? [`Rejected (non-interactive): ${namesOf(byLevel)}; ${remedy(byLevel)}.`] : []),
    ...(byRule.length > 0 ? [`Rejected: ${namesOf(byRule)}; ${against(byRule)}`] : []),
  ].join(' ');
}

function namesOf(denied: readonly RefusedRequest[]): string {
  const named = denied.slice(0, MAX_NAMED).map(({title, subagent}) => {
    const asker = subagent === undefined ? '' : ` (${sanitizeLine(subagent)})`;
    return `"${sanitizeLine(title)}"${asker}`;
  });
  const more = denied.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

/** Returns the rules and protected paths that no flag overrides, and where rules can be changed. */
function against(denied: readonly DeniedRequest[]): string {
  const reasons = [...new Set(denied.map(({rule = ''}) => rule))].slice(0, MAX_NAMED).map(sanitizeLine);
  const where = reasons.some((reason) => /^rules?: /.test(reason))
    ? ' Rules marked (user) are in config.json, (project) in .acp-tui.json, (option) on the command line.'
    : '';
  return `${reasons.join('; ')}. No approval level allows that.${where}`;
}

/** Returns the flags that would have allowed it, from the lowest on. */
function remedy(denied: readonly DeniedRequest[]): string {
  const ranks = denied.map(({allowedBy}) => (allowedBy ? APPROVAL_LEVELS.indexOf(allowedBy) : Infinity));
  const flags = APPROVAL_LEVELS.flatMap((level, rank) => {
    if (!ranks.includes(rank)) return [];
    const allowed = ranks.filter((each) => each <= rank).length;
    return `--approve ${level} allows ${allowed === denied.length ? 'it' : `${allowed} of ${denied.length}`}`;
  });
  return flags.join(', ') || 'no --approve level allows that';
}

/** An agent could otherwise fill the screen with methods. */
const MAX_WAYS = 12;

/** Returns the sign-in methods with what they require, for a run without a user. */
export function signInHelp(
  failure: Extract<Failure, {kind: 'authentication_required'}>,
  agent: AgentCommand,
): string {
  const {what, why, todo} = describeFailure(failure);
  const ways = failure.methods.flatMap((method) => signInWayLine(method, agent) ?? []);
  const more = ways.length > MAX_WAYS ? `; and ${ways.length - MAX_WAYS} more` : '';
  const offered = `Sign-in methods: ${ways.slice(0, MAX_WAYS).join('; ')}${more}.`;
  return [what, why, ways.length === 0 ? todo : offered].filter(Boolean).join(' ');
}

function signInWayLine(method: AuthMethod, agent: AgentCommand): string | undefined {
  const name = `"${quoteAgentText(method.name)}"`;
  const flag = `--auth ${quoteWord(quoteAgentText(method.id))}`;
  const way = signInWayOf(method, agent);
  switch (way.kind) {
    case 'agent':
      return `${name} (${flag})${method.description ? `: ${quoteAgentText(method.description)}` : ''}`;
    case 'terminal':
      return `${name}, in a terminal: ${signInCommandLine(way.program, agent)}`;
    case 'env_var': {
      const variables = way.method.vars.map(
        ({name, optional}) => `--env ${name}=…${optional ? ' (optional)' : ''}`,
      );
      return `${name}: ${variables.join(' ')}, with ${flag}`;
    }
    case 'unknown':
      return undefined;
  }
}
