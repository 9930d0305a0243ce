import {commandNamed} from './index.ts';

/** How the agent's command of that name is typed: with two slashes where ours has the same name. */
export function agentCommandText(name: string): string {
  return commandNamed(name) ? `//${name}` : `/${name}`;
}
