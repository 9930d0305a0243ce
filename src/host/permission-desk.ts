import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {PermissionAnswer} from '../session/actions.ts';
import type {PermissionDecision} from '../session/state.ts';
import {whenAborted, type Interrupts} from './interrupts.ts';
import type {AskedPermission, DeniedRequest, PermissionListener} from './services.ts';

/** What came of a request: the option that was chosen, if any, and how that came about. */
export interface Settled {
  readonly option: acp.PermissionOption | undefined;
  readonly decision: PermissionDecision;
  /** The key that the user pressed. */
  readonly key?: string | undefined;
  /** The user wants the same allowed from now on, by the rule that was offered. */
  readonly asRule?: boolean;
}

export interface AskOptions extends Interrupts {
  /** What decided that somebody is asked, e.g. `--approve reads`. */
  readonly by: string;
  /** What is written down when nobody is there. */
  readonly denied: DeniedRequest;
}

/** Where requests wait for their answer. */
export interface PermissionDesk {
  ask(asked: AskedPermission, options: AskOptions): Promise<Settled>;
  /** Answers a request without asking; those who listen hear of both at once. */
  choose(asked: AskedPermission, option: acp.PermissionOption, by: string): Settled;
  /** Refuses without asking; told and, without a person, listed like what nobody could be asked about. */
  refuse(asked: AskedPermission, how: Pick<AskOptions, 'by' | 'denied'>): Settled;
  /** The option by its place in the request as it came; nothing when the id does not wait or has no such option. */
  answer(id: string, answer: PermissionAnswer): void;
  /** What was refused because nobody is there. */
  denied(): readonly DeniedRequest[];
}

export function createPermissionDesk(options: {
  readonly person: boolean;
  readonly listener: PermissionListener;
}): PermissionDesk {
  const {person, listener} = options;
  const waiting = new Map<string, (answer: PermissionAnswer) => void>();
  const denied: DeniedRequest[] = [];

  function open(asked: AskedPermission): {id: string; close: (settled: Settled) => Settled} {
    const id = randomUUID();
    listener.requested(id, asked);
    return {
      id,
      close(settled) {
        waiting.delete(id);
        listener.resolved(id, asked.request.toolCall.toolCallId, settled.decision);
        return settled;
      },
    };
  }

  function waitForAnswer(asked: AskedPermission, {withdrawn, cancelled}: AskOptions): Promise<Settled> {
    const {id, close} = open(asked);
    const {promise, resolve} = Promise.withResolvers<Settled>();
    const over = new AbortController();
    // Closed synchronously, so that a second key finds nothing to answer any more.
    const settle = (settled: Settled) => {
      over.abort();
      resolve(close(settled));
    };
    waiting.set(id, (answer) => {
      if (answer.kind === 'cancelled') return settle(without('cancelled', 'user'));
      const asRule = answer.kind === 'rule' && asked.rule !== undefined;
      const option =
        answer.kind === 'rule' ? asRule && onceOf(asked.request) : asked.request.options[answer.index];
      if (option) settle({...chosen(option, 'user'), key: answer.key, asRule});
    });
    whenAborted(withdrawn, over.signal, () => settle(without('withdrawn', 'agent')));
    whenAborted(cancelled, over.signal, () => settle(without('cancelled', 'user')));
    return promise;
  }

  function refuse(asked: AskedPermission, how: Pick<AskOptions, 'by' | 'denied'>): Settled {
    if (!person) denied.push(how.denied);
    const reject = asked.request.options.find(({kind}) => kind === 'reject_once');
    return open(asked).close(reject ? chosen(reject, how.by) : without('rejected', how.by));
  }

  return {
    ask: async (asked, how) =>
      person || how.withdrawn.aborted || how.cancelled.aborted
        ? waitForAnswer(asked, how)
        : refuse(asked, how),
    refuse,
    choose: (asked, option, by) => open(asked).close(chosen(option, by)),
    answer: (id, answer) => waiting.get(id)?.(answer),
    denied: () => denied,
  };
}

/** The option that automatic approval takes: never an "always". */
export function onceOf({options}: acp.RequestPermissionRequest): acp.PermissionOption | undefined {
  return options.find(({kind}) => kind === 'allow_once');
}

function chosen(option: acp.PermissionOption, by: string): Settled {
  const outcome = option.kind.startsWith('allow') ? 'allowed' : 'rejected';
  return {option, decision: {outcome, option: option.name, by}};
}

function without(outcome: PermissionDecision['outcome'], by: string): Settled {
  return {option: undefined, decision: {outcome, option: undefined, by}};
}
