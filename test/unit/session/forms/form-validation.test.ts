import {Ajv} from 'ajv';
import ajvFormats from 'ajv-formats';
import * as fc from 'fast-check';
import {describe, expect, it, test} from 'vitest';
import {problemOf, readNumber} from '../../../../src/session/forms/form-validation.ts';
import {type Field, type FieldValue, readFields} from '../../../../src/session/forms/form-schema.ts';
import {property, value} from '../../../support/session/schemas.ts';

const ajv = new Ajv({strict: false});
ajvFormats.default(ajv);

function fieldOf(schema: object): Field {
  const [field] = readFields({type: 'object', properties: {it: schema}});
  if (!field) throw new Error('no field');
  return field;
}

function isRight(schema: object, value: FieldValue): boolean {
  return problemOf(fieldOf(schema), value) === undefined;
}

describe('an answer', () => {
  it('is valid if another JSON Schema validator says so, and invalid otherwise', () => {
    fc.assert(
      fc.property(property, value, (schema, value) => {
        const near = fc.sample(valuesOf(schema), {numRuns: 3, seed: 1});
        for (const each of [value, ...near])
          expect([each, isRight(schema, each)]).toEqual([each, ajv.validate(schema, each)]);
      }),
    );
  });

  it.each([
    [
      'date',
      ['2026-01-31', '2024-02-29', '2000-02-29'],
      [
        '2026-02-29',
        '1900-02-29',
        '2026-13-01',
        '2026-00-10',
        '26-01-01',
        '2026-1-1',
        '2026-01-31T00:00:00Z',
        '',
      ],
    ],
    [
      'date-time',
      [
        '2026-01-31T18:30:00Z',
        '2026-01-31t18:30:00.123z',
        '2026-01-31T18:30:00+02:00',
        '1998-12-31T23:59:60Z',
        '1998-12-31T15:59:60.123-08:00',
      ],
      [
        '2026-01-31',
        '2026-01-31T18:30Z',
        '2026-01-31T24:00:00Z',
        '2026-02-30T00:00:00Z',
        '2026-01-31T18:30:00',
        '1998-12-31T22:59:60Z',
        '2026-01-31T18:61:00Z',
      ],
    ],
    [
      'email',
      ['a@example.com', 'first.last+tag@sub.example.org'],
      ['a', 'a@', '@example.com', 'a b@example.com', 'a@-example.com', 'a..b@example.com', 'a@b@c'],
    ],
    [
      'uri',
      ['https://example.com', 'urn:isbn:123', 'mailto:a@example.com', 'https://[::1]:80/a%20b?c=d#e'],
      [
        'example.com',
        '/path',
        'https://exa mple.com',
        'https://example.com/ä',
        'http://a/%zz',
        'https://<script>',
      ],
    ],
  ])('of the format %s is valid and invalid as another validator says', (format, right, wrong) => {
    const schema = {type: 'string', format};
    for (const text of right)
      expect([text, isRight(schema, text), ajv.validate(schema, text)]).toEqual([text, true, true]);
    for (const text of wrong)
      expect([text, isRight(schema, text), ajv.validate(schema, text)]).toEqual([text, false, false]);
  });

  it('counts characters as code points', () => {
    const schema = {type: 'string', minLength: 2, maxLength: 2};
    expect(isRight(schema, '😀😀')).toBe(true);
    expect(problemOf(fieldOf(schema), '😀')).toBe('At least 2 characters (now 1)');
    expect(problemOf(fieldOf(schema), 'abc')).toBe('At most 2 characters (now 3)');
  });

  it('is missing only if required', () => {
    const required = readFields({properties: {a: {type: 'string'}}, required: ['a']})[0]!;
    expect(problemOf(required, undefined)).toBe('Required');
    expect(problemOf(fieldOf({type: 'string'}), undefined)).toBeUndefined();
  });
});

test.each([
  ['42', 42],
  [' -1.5 ', -1.5],
  ['+.5', 0.5],
  ['3.', 3],
  ['1e3', 1000],
  ['1e300', 1e300],
])('%j is a number', (text, number) => {
  expect(readNumber(text)).toBe(number);
});

test.each(['', 'x', '1,5', '0x10', '1e', 'NaN', 'Infinity', '1e999', '9007199254740993', '1 2'])(
  '%j is no number that can be sent',
  (text) => {
    expect(readNumber(text)).toHaveProperty('problem');
  },
);

/** Values that a property may plausibly accept. */
function valuesOf({type, items, ...schema}: Record<string, unknown>): fc.Arbitrary<FieldValue> {
  const listed = (schema: Record<string, unknown>) =>
    ((schema['enum'] ?? schema['oneOf'] ?? schema['anyOf'] ?? []) as (string | {const: string})[]).map(
      (option) => (typeof option === 'string' ? option : option.const),
    );
  if (type === 'array') return fc.subarray([...listed(items as Record<string, unknown>), 'no option']);
  const options = listed(schema);
  return options.length > 0 ? fc.constantFrom(...options) : fc.string({unit: 'grapheme', maxLength: 9});
}
