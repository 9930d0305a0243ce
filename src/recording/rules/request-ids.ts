import {wordOf} from '../fields.ts';
import type {Breach, Rule} from './rule.ts';

/** An id names one request: JSON-RPC pairs answers by it. */
export const requestIds: Rule = {
  name: 'request-ids',
  page: 'overview#communication-model',
  find(life) {
    const used = new Map<string, number>();
    const open = new Set<number>();
    return life.flatMap((happening): readonly Breach[] => {
      if (happening.kind === 'answer') open.delete(happening.asked);
      if (happening.kind !== 'request' || happening.from !== 'agent') return [];
      const {index, id} = happening;
      const key = `${typeof id} ${wordOf(id)}`;
      const before = used.get(key);
      used.set(key, index);
      open.add(index);
      if (before === undefined) return [];
      return open.has(before)
        ? [{index, text: `the id ${JSON.stringify(id)} is that of a request that is still open`}]
        : [{index, text: `the id ${JSON.stringify(id)} was used before`, isLegal: true}];
    });
  },
};
