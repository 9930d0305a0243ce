import {quoteWord} from '../../text/quote-word.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import type {SignInProgram} from '../auth-methods.ts';

/**
 * A program that signs in as it can be typed into a shell, with the variables that the method adds; those of the agent itself may be
 * secret, and are the user's own.
 */
export function signInProgramWords({command, args, env}: SignInProgram, agent: SignInProgram): string {
  const added = Object.entries(env).filter(([name, value]) => agent.env[name] !== value);
  const assignments = added.map(([name, value]) => `${name}=${quoteWord(value)}`);
  return escapeHiddenLine([...assignments, ...[command, ...args].map(quoteWord)].join(' '));
}
