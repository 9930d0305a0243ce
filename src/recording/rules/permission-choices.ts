import {itemsOf, textOf} from '../fields.ts';
import type {Breach, Rule} from './rule.ts';

/** The options of a request for permission can be told apart, by their ids and, for one who decides by kind, by their kinds. */
export const permissionChoices: Rule = {
  name: 'permission-choices',
  page: 'tool-calls#requesting-permission',
  find: (life) =>
    life.flatMap((happening): readonly Breach[] => {
      if (happening.kind !== 'request' || happening.method !== 'session/request_permission') return [];
      const {index} = happening;
      const options = itemsOf(happening.params['options']);
      const ids = twice(options.map(({optionId}) => optionId));
      const kinds = twice(options.map(({kind}) => kind));
      const canReject = options.some(({kind}) => textOf(kind)?.startsWith('reject'));
      return [
        ...ids.map((id) => ({index, text: `two options have the id ${JSON.stringify(id)}`})),
        ...kinds.map((kind) => ({index, text: `several options are of the kind ${kind}`, isLegal: true})),
        ...(canReject ? [] : [{index, text: 'no option rejects', isLegal: true}]),
      ];
    }),
};

function twice(values: readonly unknown[]): readonly string[] {
  const texts = values.flatMap((value) => textOf(value) ?? []);
  return [...new Set(texts.filter((text, at) => texts.indexOf(text) !== at))];
}
