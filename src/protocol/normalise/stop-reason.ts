import type {StopReason} from '@agentclientprotocol/sdk/unstable';
import type {Deviation} from './deviation.ts';

const KNOWN: Readonly<Record<StopReason, true>> = {
  end_turn: true,
  max_tokens: true,
  max_turn_requests: true,
  refusal: true,
  cancelled: true,
};

/** A stop reason that is missing, or that the schema does not know: the turn has ended, whatever it is called. */
export const stopReason: Deviation = {
  name: 'stop-reason',
  mend(response) {
    const reason = response['stopReason'];
    if (typeof reason === 'string' && Object.hasOwn(KNOWN, reason)) return response;
    return {...response, stopReason: reason === 'canceled' ? 'cancelled' : 'end_turn'};
  },
};
