import type {AppEvent} from '../../app/events.ts';
import type {AppState, OpenSession, SessionKey} from '../../app/state.ts';
import type {SessionActions} from '../../session/actions.ts';
import {
  commandsIn,
  expandCommand,
  withOutputs,
  type CustomCall,
} from '../../session/content/custom-command.ts';
import {isReady} from '../../session/selectors.ts';
import {fail, type Result} from '../../shared/failure.ts';
import type {Store} from '../../shared/store.ts';
import type {Client} from '../client.ts';
import type {CommandLibrary} from './command-library.ts';

/** What a custom command is used with. */
interface Use {
  readonly client: Pick<SessionActions, 'commandOutputs' | 'setMode' | 'setModel'>;
  /** The name by which the user started the agent. */
  readonly agentLabel: string;
}

/** Returns the prompt of a custom command with its arguments and the output of its commands, and sets its mode and model. */
export async function expandCall(
  {command, argument}: CustomCall,
  {client, agentLabel}: Use,
): Promise<Result<string>> {
  const {name, agent, mode, model} = command;
  if (agent !== undefined && agent !== agentLabel)
    return fail({kind: 'not_offered', what: `/${name}`, why: `it is for the agent ${agent}`});
  const parts = expandCommand(command, argument);
  const commands = commandsIn(parts);
  const outputs = commands.length === 0 ? [] : await client.commandOutputs(commands);
  if ('ok' in outputs && !outputs.ok) return outputs;
  for (const set of [
    () => (mode === undefined ? undefined : client.setMode(mode)),
    () => (model === undefined ? undefined : client.setModel(model)),
  ]) {
    const done = await set();
    if (done && !done.ok) return done;
  }
  return {ok: true, value: withOutputs(parts, 'ok' in outputs ? outputs.value : outputs)};
}

interface CommandsOfWindow {
  readonly store: Store<AppState, AppEvent>;
  readonly library: CommandLibrary;
  readonly warn: (text: string) => void;
}

/** The custom commands of a window's sessions. */
export interface WindowCommands extends Pick<CommandLibrary, 'save'> {
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
