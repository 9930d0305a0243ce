import {quoteWords} from '../text/shell-quote.ts';
import type {AgentSettings} from '../storage/settings/agent-settings.ts';

/**
 * Returns a sentence about a problem that a shell would reject and shell-quote accepts: an open quote, a second line, a command substitution. Undefined if
 * there is none.
 */
export function quotingProblem(text: string): string | undefined {
  let quote: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '\\' && quote !== "'") {
      if (i + 1 === text.length) return 'it ends with a backslash';
      i++;
    } else if (char === quote) quote = undefined;
    else if (quote === undefined && (char === '"' || char === "'")) quote = char;
    else if (char === '`' && quote !== "'") return 'command substitution (`) is not supported here';
    else if (char === '$' && text[i + 1] === '(' && quote !== "'")
      return 'command substitution ($( )) is not supported here';
    else if (char === '\n' && quote === undefined) return 'it has more than one line';
  }
  return quote === undefined ? undefined : `unclosed quote (${quote})`;
}

/** Expands an unquoted `~` at the start of a word, as a shell does; `~name` is unchanged. */
export function expandHome(text: string, home: string): string {
  let quote: string | undefined;
  let result = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    if (char === '\\' && quote !== "'") {
      result += char + (text[++i] ?? '');
      continue;
    }
    if (char === quote) quote = undefined;
    else if (quote === undefined && (char === '"' || char === "'")) quote = char;
    const startsWord = i === 0 || /\s/.test(text[i - 1] ?? '');
    const isWholeName = i + 1 === text.length || /[\s/]/.test(text[i + 1] ?? '');
    const expands = char === '~' && quote === undefined && startsWord && isWholeName;
    result += expands ? `"${home.replaceAll(/["\\$`]/g, '\\$&')}"` : char;
  }
  return result;
}

/** Returns an agent's command from the settings as a command line. */
export function commandText(command: NonNullable<AgentSettings['command']>): string {
  return typeof command === 'string' ? command : quoteWords([command.command, ...(command.args ?? [])]);
}
