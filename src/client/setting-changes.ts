import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Result} from '../shared/failure.ts';
import type {Connection} from '../protocol/connection.ts';
import {isCurrent, type ClientContext, type Life} from './context.ts';

type Value = string | boolean;

/** Something of a session that can be set. */
export interface Setting {
  /** The same for the same setting of a session: `mode`, `model`, `option <id>`. */
  readonly name: string;
  /** What the window shows now; undefined where the session no longer has it. */
  readonly shown: () => Value | undefined;
  readonly show: (value: Value) => void;
  /** Resolves to the agent's whole list of options where it answers with one. */
  readonly request: (
    connection: Connection,
    sessionId: acp.SessionId,
  ) => Promise<Result<readonly acp.SessionConfigOption[] | void>>;
}

/** A change that was shown and that the agent has not answered yet. */
interface Change {
  readonly sessionId: acp.SessionId;
  readonly setting: Setting;
  readonly value: Value;
  /** What the agent last agreed to. */
  agreed: Value | undefined;
}

const waitingIn = new WeakMap<Life, Change[]>();

/**
 * Shows the wanted value, asks the agent, and shows what the agent says. Where it refuses, what it last agreed to comes back,
 * unless something else has changed it meanwhile. Several changes may wait at a time, of one setting too: each answer
 * leaves the later ones on the screen. Undefined when no session is open.
 */
export async function changeSetting(
  context: ClientContext,
  setting: Setting,
  value: Value,
): Promise<Result<void> | undefined> {
  const {life, link} = context;
  const {sessionId} = link.state();
  if (!life || sessionId === undefined) return undefined;
  const waiting = waitingIn.get(life) ?? [];
  waitingIn.set(life, waiting);
  const isSame = (other: Change) => other.sessionId === sessionId && other.setting.name === setting.name;
  const before = waiting.findLast(isSame);
  const change: Change = {sessionId, setting, value, agreed: before ? before.agreed : setting.shown()};
  waiting.push(change);
  setting.show(value);
  const result = await setting.request(life.connection, sessionId);
  waiting.splice(waiting.indexOf(change), 1);
  if (!isCurrent(context, life) || link.state().sessionId !== sessionId)
    return result.ok ? {ok: true, value: undefined} : result;
  const others = waiting.filter((other) => other.sessionId === sessionId);
  if (!result.ok) {
    const shown = others.findLast(isSame)?.value ?? change.agreed;
    if (setting.shown() === value && shown !== undefined) setting.show(shown);
    return result;
  }
  for (const other of others.filter(isSame)) other.agreed = value;
  if (result.value) {
    link.emit({type: 'config_options_set', configOptions: withWaiting(result.value, others), at: Date.now()});
  }
  return {ok: true, value: undefined};
}

/** The agent's list, with what it has still to answer. */
function withWaiting(
  options: readonly acp.SessionConfigOption[],
  waiting: readonly Change[],
): readonly acp.SessionConfigOption[] {
  return waiting.reduce((list, {setting, value}) => withOption(list, setting.name, value), options);
}

/** The name of the setting that an option is. */
export function optionSetting(id: string): string {
  return `option ${id}`;
}

/** The list with one option set; the same where it has no such option. */
export function withOption(
  options: readonly acp.SessionConfigOption[],
  name: string,
  value: Value,
): readonly acp.SessionConfigOption[] {
  return options.map((option) =>
    optionSetting(option.id) === name && typeof option.currentValue === typeof value
      ? ({...option, currentValue: value} as acp.SessionConfigOption)
      : option,
  );
}
