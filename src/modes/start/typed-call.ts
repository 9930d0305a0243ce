import {behindSlashes, type TextForAgent} from '../../app/commands/behind-slashes.ts';
import type {OtherCommand} from '../../app/commands/index.ts';
import {unusableCall, type ListedCommands} from '../../conversation/prompt/command-library.ts';
import {callsAnyCommand} from '../../session/content/custom-command.ts';
import {fail, type Result} from '../../shared/failure.ts';

/** Returns what a prompt means that is not typed into a window; fails if it calls a command file that cannot be used, and no command of the agent that is known. */
export function typedCall(
  prompt: string,
  {agents, ...listed}: ListedCommands & {readonly agents: readonly OtherCommand[]},
): Result<TextForAgent> {
  const {commands: custom, unusable} = listed;
  const meant = behindSlashes(prompt, {custom, agents: [...custom, ...unusable, ...agents]});
  const isKnown = meant.isAgents || callsAnyCommand(meant.text, agents);
  const failure = isKnown ? undefined : unusableCall(meant.text, listed);
  return failure ? fail(failure) : {ok: true, value: meant};
}
