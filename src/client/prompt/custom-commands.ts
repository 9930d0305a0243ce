import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AppEvent} from '../../app/events.ts';
import type {AppState, OpenSession, SessionKey} from '../../app/state.ts';
import {
  commandsIn,
  expandCommand,
  withOutputs,
  type CustomCall,
  type CustomCommand,
} from '../../session/content/custom-command.ts';
import {isReady} from '../../session/selectors.ts';
import {fail, type Result} from '../../shared/failure.ts';
import type {Store} from '../../shared/store.ts';
import {escapeHiddenFile, escapeHiddenLine} from '../../text/hidden.ts';
import type {Client} from '../client.ts';
import type {CommandLibrary} from './command-library.ts';

/** What a custom command is used with. */
interface Use {
  readonly client: Pick<Client, 'askUser' | 'commandOutputs' | 'setMode' | 'setModel'>;
  readonly library: Pick<CommandLibrary, 'trust'>;
  /** The name by which the user started the agent. */
  readonly agentLabel: string;
}

/** The prompt of a custom command. */
interface ExpandedPrompt {
  /** With a sign in place of each output, in which no file is looked for. */
  readonly text: string;
  /** Puts the outputs into a text with these signs. */
  readonly fill: (text: string) => string;
}

const DONE: Result<void> = {ok: true, value: undefined};

/** Returns the prompt of a custom command with its arguments and the output of its commands, and sets its mode and model. */
export async function expandCall(
  {command, argument}: CustomCall,
  {client, library, agentLabel}: Use,
): Promise<Result<ExpandedPrompt>> {
  const {name, agent, mode, model} = command;
  const refused = (why: string) => fail({kind: 'not_offered', what: `/${name}`, why} as const);
  if (agent !== undefined && agent !== agentLabel) return refused(`it is for the agent ${agent}`);
  const parts = expandCommand(command, argument);
  if (!parts.ok) return parts;
  if (!(await isTrusted(command, {client, library})))
    return refused('its file is not trusted; acp-tui asks when it is used in a window');
  const commands = commandsIn(parts.value);
  const outputs: Result<readonly string[]> =
    commands.length === 0 ? {ok: true, value: []} : await client.commandOutputs(commands);
  if (!outputs.ok) return outputs;
  const modeSet = mode === undefined ? DONE : await client.setMode(mode);
  if (!modeSet.ok) return modeSet;
  const modelSet = model === undefined ? DONE : await client.setModel(model);
  if (!modelSet.ok) return modelSet;
  const signs = outputs.value.map(() => `output-${randomUUID()}`);
  const fill = (text: string) =>
    signs.reduce((filled, sign, index) => filled.replaceAll(sign, () => outputs.value[index] ?? ''), text);
  return {ok: true, value: {text: withOutputs(parts.value, signs), fill}};
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
  {name, prompt, askFirst}: CustomCommand,
  {client, library}: Pick<Use, 'client' | 'library'>,
): Promise<boolean> {
  if (!askFirst) return true;
  const answer = await client.askUser({
    title: `Use the command /${name} of this folder?`,
    text: `${escapeHiddenLine(askFirst.file)} is sent to the agent, with files that it names. You are asked again when it changes.\n\n${escapeHiddenFile(prompt).replace(/^/gm, '  ')}`,
    yes: 'Trust and use it',
    no: 'Not now',
  });
  if (answer === true) library.trust(askFirst);
  return answer === true;
}

interface CommandsOfWindow {
  readonly store: Store<AppState, AppEvent>;
  readonly library: CommandLibrary;
  readonly warn: (text: string) => void;
}

/** The custom commands of a window's sessions. */
export interface WindowCommands extends Pick<CommandLibrary, 'save' | 'trust'> {
  /** Reads them again. */
  readonly refresh: () => void;
}

/** Keeps the custom commands of a window's sessions up to date. */
export function followCustomCommands({store, library, warn}: CommandsOfWindow): WindowCommands {
  const reported = new Set<string>();
  async function read(key: SessionKey): Promise<void> {
    const open = store.latest().sessions[key];
    if (!open) return;
    const {commands, problems} = await library.list(open.session.cwd);
    store.dispatch({type: 'session_changed', key, change: {customCommands: commands}});
    for (const problem of problems) {
      if (!reported.has(problem)) warn(problem);
      reported.add(problem);
    }
  }
  const refresh = () => Object.keys(store.latest().sessions).forEach((key) => void read(key));
  store.onEvent((event) => {
    if (event.type === 'session_added') queueMicrotask(() => void read(event.key));
  });
  refresh();
  return {
    refresh,
    trust(asked) {
      library.trust(asked);
      refresh();
    },
    async save(name, prompt) {
      const saved = await library.save(name, prompt);
      refresh();
      return saved;
    },
  };
}

interface QuestionAboutOthers {
  readonly store: Store<AppState, AppEvent>;
  readonly library: CommandLibrary;
  readonly clientOf: (key: SessionKey) => Pick<Client, 'askUser'>;
  /** Saves the answer. */
  readonly decide: (use: 'on' | 'off') => Promise<void>;
}

/** Asks once, when a session is open, whether the commands of other clients are used. */
export function askAboutOthers({store, library, clientOf, decide}: QuestionAboutOthers): void {
  async function ask({key, session}: OpenSession): Promise<void> {
    const clients = await library.unasked(session.cwd);
    if (clients.length === 0) return;
    const answer = await clientOf(key).askUser({
      title: `Use the commands of ${clients.join(' and ')}?`,
      text:
        'Their files are read from this folder and from your home folder, and are in the / menu under their names. ' +
        'What a command runs is asked about like a command of an agent. The setting otherCommands changes this later.',
      yes: 'Use them',
      no: 'Do not use them',
    });
    if (answer !== undefined) await decide(answer ? 'on' : 'off');
  }
  const stop = store.onEvent((_event, {sessions, active}) => {
    const open = sessions[active];
    if (!open || !isReady(open.session)) return;
    stop();
    // Asking emits an event, which must not happen during this one.
    queueMicrotask(() => void ask(open));
  });
}
