import * as z from 'zod/mini';
import {DONE, errorMessage, fail, type Failure, type Result} from '../../shared/failure.ts';
import {jsonOf} from '../../text/json.ts';
import {agentKey, readStoredSignIns, writeStoredSignIns, type SignInAgent} from './kept-sign-ins.ts';
import type {Keyring} from './keyring.ts';

/** Environment variables that sign in to an agent, and the method that asked for them. */
interface SignInValues {
  readonly method: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Credentials that the user typed: in memory for this run, or in the system's keyring on request. */
export interface Credentials {
  /** Returns an agent's values. `isTyped` if entered in this run: these override any other environment. */
  find(agent: SignInAgent): Promise<Result<(SignInValues & {readonly isTyped: boolean}) | undefined>>;
  /** Stores values for this run. */
  remember(agent: SignInAgent, values: SignInValues): void;
  /** Stores values for later runs, too. */
  keep(agent: SignInAgent, values: SignInValues): Promise<Result<void>>;
  /** Deletes the values here and in the keyring; resolves to whether there were any. */
  forget(agent: SignInAgent): Promise<Result<boolean>>;
  /** Masks these values in everything that is written. */
  conceal(values: readonly string[]): void;
  /** Returns why values cannot be stored; undefined if they can. */
  whyNotKept(): Promise<string | undefined>;
}

interface CredentialsOptions {
  /** The state folder. */
  readonly state: string;
  readonly keyring: Keyring;
  /** Called with each value, to mask it in everything that is written. */
  readonly onValue: (value: string) => void;
}

const valuesSchema = z.object({method: z.string(), values: z.record(z.string(), z.string())});

export function openCredentials({state, keyring, onValue}: CredentialsOptions): Credentials {
  const typed = new Map<string, SignInValues>();
  const read = new Map<string, SignInValues>();

  function reportValues({values}: SignInValues): void {
    for (const value of Object.values(values)) onValue(value);
  }

  return {
    conceal: (values) => values.forEach(onValue),
    async find(agent) {
      const key = agentKey(agent);
      const known = typed.get(key) ?? read.get(key);
      if (known) return {ok: true, value: {...known, isTyped: typed.has(key)}};
      if (!Object.hasOwn(readStoredSignIns(state), key)) return {ok: true, value: undefined};
      try {
        const parsed = valuesSchema.safeParse(jsonOf((await keyring.read(key)) ?? ''));
        if (!parsed.success) return {ok: true, value: undefined};
        reportValues(parsed.data);
        read.set(key, parsed.data);
        return {ok: true, value: {...parsed.data, isTyped: false}};
      } catch (error) {
        return failed('the saved values of this agent cannot be read', error);
      }
    },
    remember(agent, values) {
      reportValues(values);
      typed.set(agentKey(agent), values);
    },
    async keep(agent, values) {
      const key = agentKey(agent);
      try {
        await keyring.write(key, JSON.stringify(values));
        writeStoredSignIns(state, {
          ...readStoredSignIns(state),
          [key]: {agent: agent.label, method: values.method},
        });
        return DONE;
      } catch (error) {
        return failed('it cannot be saved', error);
      }
    },
    async forget(agent) {
      const key = agentKey(agent);
      const {[key]: kept, ...others} = readStoredSignIns(state);
      const isKnown = [typed.delete(key), read.delete(key), kept !== undefined].includes(true);
      if (!kept) return {ok: true, value: isKnown};
      try {
        await keyring.remove(key);
        writeStoredSignIns(state, others);
        return {ok: true, value: true};
      } catch (error) {
        return failed('the saved values of this agent cannot be deleted', error);
      }
    },
    whyNotKept: () => keyring.problem(),
  };
}

function failed(what: string, error: unknown): {readonly ok: false; readonly failure: Failure} {
  const why = `${what} (${errorMessage(error)})`;
  return fail({kind: 'not_offered', what: 'the system keyring', why});
}
