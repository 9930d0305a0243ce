import type {HostContext} from './host-context.ts';
import type {AskOptions} from './permission-desk.ts';

/** Ends of a request that are no answer. */
export type Interrupts = Pick<AskOptions, 'withdrawn' | 'cancelled'>;

/** Taken before anything is awaited, so that a cancel is not missed. */
export function interruptsOf({options, cancelling}: HostContext, withdrawn: AbortSignal): Interrupts {
  return {withdrawn, cancelled: options.isCancelling() ? AbortSignal.abort() : cancelling.signal};
}

export function isOver({withdrawn, cancelled}: Interrupts): boolean {
  return withdrawn.aborted || cancelled.aborted;
}
