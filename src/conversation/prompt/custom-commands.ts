import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {
  commandsIn,
  expandCommand,
  withOutputs,
  type CustomCall,
  type CustomCommand,
} from '../../session/content/custom-command.ts';
import {DONE, fail, type Result} from '../../shared/failure.ts';
import {escapeHiddenFile, escapeHiddenLine} from '../../text/hidden.ts';
import {readableOf} from '../connection/open-sandbox.ts';
import {warn, type ConversationContext} from '../context.ts';
import {setMode, setModel} from '../settings/apply-settings.ts';
import {withSignIn} from '../sign-in/agent-sign-in.ts';
import type {CommandLibrary} from './command-library.ts';
import {commandOutputs} from './command-outputs.ts';

/** The prompt of a custom command. */
export interface ExpandedPrompt {
  /** With a sign in place of each output, in which no file is looked for. */
  readonly text: string;
  /** Puts the outputs into a text with these signs. */
  readonly fill: (text: string) => string;
  /** False for a real path that the agent's sandbox hides. */
  readonly isReadable: (real: string) => boolean;
}

/** Returns the prompt of a custom command with its arguments and the output of its commands, and sets its mode and model. */
export async function expandCall(
  context: ConversationContext,
  {command, argument}: CustomCall,
  library: Pick<CommandLibrary, 'trust'> | undefined = context.options.customCommands,
): Promise<Result<ExpandedPrompt>> {
  const {name, agent, mode, model, target} = command;
  const refused = (why: string) => fail({kind: 'not_offered', what: `/${name}`, why} as const);
  if (agent !== undefined && agent !== context.options.agent.label)
    return refused(`it is for the agent ${agent}`);
  const isReadable = await readableOf(context);
  if (target !== undefined && !isReadable(target))
    return refused(`its file is a link to ${escapeHiddenLine(target)}, which the sandbox hides`);
  const parts = expandCommand(command, argument);
  if (!parts.ok) return parts;
  if (!(await isTrusted(context, command, library)))
    return refused('its file is not trusted; acp-tui asks when it is used in a window');
  const commands = commandsIn(parts.value);
  const outputs: Result<readonly string[]> =
    commands.length === 0 ? {ok: true, value: []} : await commandOutputs(context, commands, `/${name}`);
  if (!outputs.ok) return outputs;
  const modeSet = mode === undefined ? DONE : await withSignIn(context, () => setMode(context, mode));
  if (!modeSet.ok) return modeSet;
  const modelSet = model === undefined ? DONE : await withSignIn(context, () => setModel(context, model));
  if (!modelSet.ok) return modelSet;
  const signs = outputs.value.map(() => `output-${randomUUID()}`);
  const fill = (text: string) =>
    signs.reduce((filled, sign, index) => filled.replaceAll(sign, () => outputs.value[index] ?? ''), text);
  return {ok: true, value: {text: withOutputs(parts.value, signs), fill, isReadable}};
}

/** Puts the outputs into the texts of a prompt. */
export function fillBlocks(
  content: readonly acp.ContentBlock[],
  {fill}: Pick<ExpandedPrompt, 'fill'>,
): readonly acp.ContentBlock[] {
  return content.map((block) => (block.type === 'text' ? {...block, text: fill(block.text)} : block));
}

/** Asks first about a command file of a project's that the user has not seen like this: its text goes to the agent, with files that it names. */
async function isTrusted(
  {host, sink}: ConversationContext,
  {name, prompt, askFirst}: CustomCommand,
  library: Pick<CommandLibrary, 'trust'> | undefined,
): Promise<boolean> {
  if (!askFirst) return true;
  const question = {
    title: `Use the command /${name} of this folder?`,
    text: `${escapeHiddenLine(askFirst.file)} is sent to the agent, with files that it names. You are asked again when it changes.\n\n${escapeHiddenFile(prompt).replace(/(?<![^\n])/g, '  ')}`,
    yes: 'Trust and use it',
    no: 'Not now',
  };
  const answer = await host.askUser(question, sink.state().sessionId ?? '');
  if (answer === true) library?.trust(askFirst);
  return answer === true;
}

/** Keeps the custom commands of a session's folder up to date in its state. Returns a function to stop. */
export function followCommands(context: ConversationContext): () => void {
  const {sink, options} = context;
  const {customCommands: library} = options;
  if (!library) return () => {};
  async function read(): Promise<void> {
    const {commands, problems} = await library!.list(sink.state().cwd);
    sink.emit({type: 'custom_commands_changed', commands, at: Date.now()});
    for (const problem of problems) if (library!.isNews(problem)) warn(context, problem);
  }
  void read();
  return library.follow(() => void read());
}
