import {itemsOf, textOf} from '../fields.ts';
import type {Breach, Rule} from './rule.ts';

/** `session/list` keeps to the folder that was asked for, and its pages end. */
export const listedSessions: Rule = {
  name: 'listed-sessions',
  page: 'session-list',
  find: (life) =>
    life.flatMap((happening): readonly Breach[] => {
      if (happening.kind !== 'answer' || happening.method !== 'session/list' || !happening.result) return [];
      const {index, params, result} = happening;
      const wanted = textOf(params['cwd']);
      const others = itemsOf(result['sessions']).filter(({cwd}) => wanted !== undefined && cwd !== wanted);
      const cursor = textOf(result['nextCursor']);
      return [
        ...(others.length > 0
          ? [{index, text: `${others.length} sessions are of another folder than the one asked for`}]
          : []),
        ...(cursor !== undefined && cursor === params['cursor']
          ? [{index, text: 'the cursor of the next page is the one of this page'}]
          : []),
      ];
    }),
};
