import {quoted} from '../../shared/agent-text.ts';
import {isAgentItself, type SignInProgram} from '../../session/auth-methods.ts';
import {commandWords, variableWords} from '../../session/words/sign-in-program.ts';
import type {ClientContext} from '../context.ts';

/** In UTF-16 units. */
const LONGEST_NAME = 100;

/**
 * Asks whether to run a program that the agent wants to sign in with, also where its method was named with `--auth`: an id says
 * nothing of the program. The agent itself with a word or two more is not asked about.
 */
export async function agreesToRun(
  {host, link, options: {agent, cwd}}: ClientContext,
  {name, program}: {readonly name: string; readonly program: SignInProgram},
): Promise<boolean> {
  if (isAgentItself(program, agent)) return true;
  const facts = [
    ['Command', commandWords(program)],
    ['Folder', cwd],
    ...variableWords(program, agent).map((variable) => ['Variable', variable]),
  ].map(([fact = '', value]) => `${fact.padEnd(10)}${value}`);
  const agreed = await host.askUser(
    {
      // The name is the agent's: it must not read as if we said it.
      title: `Run this program to sign in with "${quoted(name, LONGEST_NAME)}"?`,
      text: [facts.join('\n'), 'The agent names it. It gets this terminal, and runs with your rights.'].join(
        '\n\n',
      ),
      yes: 'Run it',
      no: 'Not now',
    },
    link.state().sessionId ?? '',
  );
  return agreed === true;
}
