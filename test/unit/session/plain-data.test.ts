import {expectTypeOf, test} from 'vitest';
import type {SessionActions} from '../../../src/session/actions.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import type {SentState} from '../../../src/session/lifecycle/sent-state.ts';

type Bound =
  | ((...args: never[]) => unknown)
  | Promise<unknown>
  | AbortSignal
  | Date
  | RegExp
  | Uint8Array
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | bigint
  | symbol;

/** What arrives on the other side of a socket; `unknown` is JSON of an agent's. */
type Data<Value> = unknown extends Value
  ? Value
  : Value extends Bound
    ? never
    : {[Name in keyof Value]: Data<Value[Name]>};

/** The actions with an argument or a result that could not cross a socket, or that return something at once. */
type Binding<Actions> = {
  [Name in keyof Actions]: Actions[Name] extends (...args: infer Args) => infer Returned
    ? [Args] extends [Data<Args>]
      ? Returned extends void
        ? never
        : Returned extends Promise<infer Result>
          ? [Result] extends [Data<Result>]
            ? never
            : Name
          : Name
      : Name
    : Name;
}[keyof Actions];

test('what an action of a session is given and returns is plain data, later', () => {
  expectTypeOf<Binding<SessionActions>>().toBeNever();
});

test('an event of a session is plain data', () => {
  expectTypeOf<SessionEvent>().toExtend<Data<SessionEvent>>();
});

test('the state of a session that is sent is plain data', () => {
  expectTypeOf<SentState>().toExtend<Data<SentState>>();
});

test('what is not is noticed', () => {
  interface Planted {
    callback(onPage: (page: string) => void): void;
    deep(filter: {readonly signal?: AbortSignal}): Promise<void>;
    atOnce(): string;
    map(): Promise<ReadonlyMap<string, string>>;
    plain(name: string, more?: {readonly list: readonly number[]}): Promise<{readonly ok: true} | undefined>;
  }
  expectTypeOf<Binding<Planted>>().toEqualTypeOf<'callback' | 'deep' | 'atOnce' | 'map'>();
});
