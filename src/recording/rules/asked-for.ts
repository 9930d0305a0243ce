import type {Rule} from './rule.ts';

/** An answer answers a request, once. */
export const askedFor: Rule = {
  name: 'asked-for',
  page: 'overview#communication-model',
  find: (life) =>
    life.flatMap((happening) =>
      happening.kind === 'stray_answer' && !happening.isBroken
        ? [{index: happening.index, text: 'it answers no request'}]
        : [],
    ),
};
