import type {Rule} from './rule.ts';

/** Nothing but messages comes out of an agent. */
export const cleanOutput: Rule = {
  name: 'clean-output',
  page: 'transports#stdio',
  find: (life) =>
    life.flatMap((happening) => {
      if (happening.kind !== 'noise') return [];
      const text =
        happening.what === 'text' ? 'it is no message' : 'messages come one at a time, not in a list';
      return [{index: happening.index, text}];
    }),
};
