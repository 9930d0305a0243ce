import {quoteWord, quoteWords} from '../../text/shell-quote.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import type {SignInProgram} from '../auth-methods.ts';

/**
 * A program that signs in as it can be typed into a shell, with the variables that the method adds; those of the agent itself may be
 * secret, and are the user's own.
 */
export function signInProgramWords(program: SignInProgram, agent: SignInProgram): string {
  return [...variableWords(program, agent), commandWords(program)].join(' ');
}

/** Its command line without variables. */
export function commandWords({command, args}: SignInProgram): string {
  return escapeHiddenLine(quoteWords([command, ...args]));
}

/** The variables that the method adds. */
export function variableWords({env}: SignInProgram, agent: SignInProgram): readonly string[] {
  const added = Object.entries(env).filter(([name, value]) => agent.env[name] !== value);
  return added.map(([name, value]) => escapeHiddenLine(`${name}=${quoteWord(value)}`));
}
