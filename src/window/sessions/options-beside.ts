import type {AgentInFolder, ConversationOptions, OptionsForAgent} from '../../conversation/options.ts';
import type {Folders} from '../../shared/files/session-folders.ts';

interface Beside extends Folders, Omit<AgentInFolder, 'cwd'> {}

/** Returns the options of another session of a window. What follows from its agent and folder is made for it; one of the same agent keeps what the first one has got. */
export function optionsBeside(
  base: ConversationOptions,
  {agent, cwd, additionalDirectories, realFolders, kept, isConfined}: Beside,
  optionsForAgent: OptionsForAgent,
): ConversationOptions {
  const made = optionsForAgent({agent, cwd, kept, isConfined});
  const {opening: _opening, sandbox: _sandbox, provider: _provider, ...own} = base;
  // The settings of the command line were for another session.
  const itsOwn = {agent, cwd, additionalDirectories, realFolders, settings: {options: []}};
  if (agent === base.agent) {
    const {sandbox, provider, limits, refusal} = made;
    return {...own, ...itsOwn, ...(sandbox && {sandbox}), provider, limits, refusal};
  }
  const {systemPrompt: _instructions, authMethod: _method, permissions: _log, ...ofWindow} = own;
  return {...ofWindow, ...itsOwn, ...made};
}

/** Returns those of a new session of the same agent, in the same folders if no others are given: it is confined if the other one is, unless the user has chosen. */
export function optionsOfNew(
  base: ConversationOptions,
  optionsForAgent: OptionsForAgent,
  {cwd, additionalDirectories, realFolders, isConfined}: Omit<Beside, 'agent' | 'kept'> = base,
): ConversationOptions {
  const kept = {sandbox: base.sandbox && {}};
  const beside = {agent: base.agent, cwd, additionalDirectories, realFolders, kept, isConfined};
  return optionsBeside(base, beside, optionsForAgent);
}
