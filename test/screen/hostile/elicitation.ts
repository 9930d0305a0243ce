import * as fc from 'fast-check';
import {readLink} from '../../../src/host/elicitation/elicit.ts';
import type {ElicitationQuestion} from '../../../src/session/forms/form-request.ts';
import {readFields} from '../../../src/session/forms/form-schema.ts';

interface Parts {
  readonly text: fc.Arbitrary<string>;
  readonly id: fc.Arbitrary<string>;
}

/** An agent's form, with these texts in every text field. */
export function elicitation({text, id}: Parts): fc.Arbitrary<ElicitationQuestion> {
  const labels = {title: text, description: text};
  const property = fc.oneof(
    fc.record({
      ...labels,
      type: fc.constantFrom('string', 'integer', 'boolean', 'object'),
      pattern: text,
      default: text,
    }),
    fc.record({...labels, type: fc.constant('string'), enum: fc.array(text, {maxLength: 12})}),
    fc.record({
      ...labels,
      type: fc.constant('array'),
      items: fc.record({anyOf: fc.array(fc.record({const: text, title: text}), {maxLength: 4})}),
    }),
  );
  const fields = fc
    .dictionary(text, property, {maxKeys: 5})
    .map((properties) => readFields({properties, required: Object.keys(properties).slice(0, 2)}));
  const link = text.map(
    (path) =>
      readLink(`http://a:b@xn--pple-43d.com/${path}`) ?? {href: 'https://a.example/', host: 'a.example'},
  );
  return fc.oneof(
    fc.record({
      mode: fc.constant('form' as const),
      message: text,
      title: text,
      description: text,
      toolCallId: id,
      fields,
    }),
    fc.record({mode: fc.constant('url' as const), message: text, toolCallId: id, link}),
  );
}
