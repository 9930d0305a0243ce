import {quoted} from '../shared/agent-text.ts';
import type {AgentCommand} from '../agents/resolve.ts';
import {describeFailure} from '../shared/failure-messages.ts';
import type {Failure} from '../shared/failure.ts';
import {wayOf, type AuthMethod} from '../session/auth-methods.ts';
import {signInProgramWords} from '../session/words/sign-in-program.ts';
import {quoteWord} from '../text/shell-quote.ts';

/** Nobody reads on; and an agent could fill the screen with them. */
const MOST_WAYS = 12;

/** What a run without a person says of a missing sign-in: each method with what it takes, as it can be typed. */
export function signInWords(
  failure: Extract<Failure, {kind: 'authentication_required'}>,
  agent: AgentCommand,
): string {
  const {what, why, todo} = describeFailure(failure);
  const ways = failure.methods.flatMap((method) => wayWords(method, agent) ?? []);
  const more = ways.length > MOST_WAYS ? `; and ${ways.length - MOST_WAYS} more` : '';
  const offered = `It offers: ${ways.slice(0, MOST_WAYS).join('; ')}${more}.`;
  return [what, why, ways.length === 0 ? todo : offered].filter(Boolean).join(' ');
}

function wayWords(method: AuthMethod, agent: AgentCommand): string | undefined {
  const name = `"${quoted(method.name)}"`;
  const flag = `--auth ${quoteWord(quoted(method.id))}`;
  const way = wayOf(method, agent);
  switch (way.kind) {
    case 'agent':
      return `${name} (${flag})${method.description ? `: ${quoted(method.description)}` : ''}`;
    case 'terminal':
      return `${name}, in a terminal: ${signInProgramWords(way.program, agent)}`;
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
