import * as z from 'zod/mini';
import {amount, parts} from './setting-fields.ts';

/** The setting `limits`: see `Limits`. */
export const limitSettings = {
  topic: 'Permissions',
  applies: 'in new sessions',
  description:
    'what a turn or a session may use before it is stopped and you are asked (acp-tui help permissions)',
  ...parts({
    turnCost: {...amount, description: "what a turn may cost, in the agent's currency"},
    turnMinutes: {...amount, description: 'minutes that a turn may take'},
    sessionCost: {...amount, description: "what a session may cost, in the agent's currency"},
    sessionTokens: {...amount, description: 'tokens that the turns of a session may use'},
    sessionTurns: {...amount, description: 'turns that a session may have'},
    sessionMinutes: {...amount, description: 'minutes that the turns of a session may take together'},
    dayCost: {...amount, description: "what all sessions of a day may cost, in the agent's currency"},
    dayTokens: {...amount, description: 'tokens that all sessions of a day may use'},
    dayTurns: {...amount, description: 'turns that all sessions of a day may have'},
    sameCall: {
      schema: z.int().check(z.nonnegative()),
      allowed: 'a whole number, or 0 for no limit',
      description:
        'how often in a row a turn may make the same tool call with the same input (0: any number of times)',
    },
  }),
  default: {sameCall: 8},
} as const;
