import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
  mayStoreAnswer,
  isUnanswerable,
  type Field,
  readFields,
} from '../../../../src/session/forms/form-schema.ts';

function fieldOf(schema: unknown): Field {
  const [field] = readFields({type: 'object', properties: {it: schema}});
  if (!field) throw new Error('no field');
  return field;
}

describe('a schema', () => {
  it('becomes fields in its order, with required ones marked', () => {
    const fields = readFields({
      properties: {
        name: {type: 'string', title: 'Your name', minLength: 1, default: 'Ada'},
        port: {type: 'integer', minimum: 1024, maximum: 65535},
        ratio: {type: 'number', default: 0.5},
        log: {type: 'boolean', default: false},
      },
      required: ['port'],
    });
    expect(fields).toMatchObject([
      {type: 'text', label: 'Your name', required: false, minLength: 1, default: 'Ada'},
      {type: 'number', label: 'port', required: true, integer: true, minimum: 1024, maximum: 65535},
      {type: 'number', integer: false, default: 0.5},
      {type: 'boolean', default: false},
    ]);
  });

  it.each([
    [{type: 'string', enum: ['#f00', '#0f0'], default: '#0f0'}, ['#f00', '#0f0']],
    [{enum: ['#f00', '#0f0'], default: '#0f0'}, ['#f00', '#0f0']],
    [
      {type: 'string', enum: ['#f00', '#0f0'], enumNames: ['Red', 'Green'], default: '#0f0'},
      ['Red', 'Green'],
    ],
    [
      {
        type: 'string',
        oneOf: [
          {const: '#f00', title: 'Red'},
          {const: '#0f0', title: 'Green'},
        ],
        default: '#0f0',
      },
      ['Red', 'Green'],
    ],
    [
      {
        type: 'string',
        enum: ['#f00', '#0f0'],
        oneOf: [
          {const: '#f00', title: 'Red'},
          {const: '#0f0', title: 'Green'},
          {const: 'x', title: 'X'},
        ],
        default: '#0f0',
      },
      ['Red', 'Green'],
    ],
  ])('%j is a choice of one', (schema, labels) => {
    const field = fieldOf(schema);
    expect(field).toMatchObject({type: 'choice', default: 1, options: labels.map((label) => ({label}))});
    expect('options' in field && field.options.map(({value}) => value)).toEqual(['#f00', '#0f0']);
  });

  it.each([
    {type: 'string', enum: ['a', 'b']},
    {
      anyOf: [
        {const: 'a', title: 'a'},
        {const: 'b', title: 'b'},
      ],
    },
  ])('an array of %j is a choice of several', (items) => {
    const field = fieldOf({type: 'array', items, minItems: 1, maxItems: 2, default: ['b', 'unknown']});
    expect(field).toMatchObject({type: 'choices', minItems: 1, maxItems: 2, default: [1]});
  });

  it.each([
    [{type: 'object', properties: {}}, 'object'],
    [{type: '_color'}, '_color'],
    [{type: ['string', 'null']}, 'of several types'],
    [{type: 'array', items: {type: 'string'}}, 'array'],
    [{type: 'array', items: {type: '_x', enum: ['a']}}, 'array'],
    [{type: 'array'}, 'array'],
    [{type: 'string', enum: []}, 'string'],
    [{type: 'string', enum: [1, 2]}, 'string'],
    [{}, 'without a type'],
    [7, 'not described'],
  ])('%j is an unsupported field', (schema, kind) => {
    expect(fieldOf(schema)).toMatchObject({type: 'unknown', kind});
  });

  it('that requires an undescribed property cannot be answered', () => {
    expect(isUnanswerable(readFields({properties: {}, required: ['a']}))).toBe(true);
    expect(isUnanswerable(readFields({properties: {a: {type: 'object'}}, required: ['a']}))).toBe(true);
    expect(isUnanswerable(readFields({properties: {a: {type: 'object'}}}))).toBe(false);
  });

  it('keeps names and values unchanged, and sanitizes what is shown', () => {
    const hostile = '\u001b[31mred\u202e';
    const [field] = readFields({
      properties: {
        [hostile]: {title: hostile, description: hostile, oneOf: [{const: hostile, title: hostile}]},
      },
    });
    expect(field).toMatchObject({id: hostile, label: '␛[31mred⟨U+202E⟩', description: '␛[31mred⟨U+202E⟩'});
    expect(field).toMatchObject({options: [{value: hostile, label: '␛[31mred⟨U+202E⟩'}]});
  });

  it('drops defaults and constraints of a wrong type', () => {
    expect(
      fieldOf({type: 'string', minLength: '1', maxLength: -1, pattern: 3, format: 'uuid', default: 4}),
    ).toMatchObject({
      minLength: undefined,
      maxLength: undefined,
      pattern: undefined,
      format: undefined,
      default: undefined,
    });
    expect(fieldOf({type: 'number', minimum: 'a', default: '3'})).toMatchObject({
      minimum: undefined,
      default: undefined,
    });
    expect(fieldOf({type: 'string', enum: ['a'], default: 'b'})).toMatchObject({default: undefined});
  });

  it.each(['password', 'apiKey', 'GitHub token', 'access_token', 'Your PIN', 'client_secret'])(
    'that asks for a %s is detected, and the answer is not stored',
    (title) => {
      const field = fieldOf({type: 'string', title});
      expect(field.looksSecret).toBe(true);
      expect(mayStoreAnswer(field)).toBe(false);
    },
  );

  it('that asks for a number that is a PIN, or marks a text as secret, is, too', () => {
    expect(mayStoreAnswer(fieldOf({type: 'integer', title: 'Your PIN'}))).toBe(false);
    const marked = fieldOf({type: 'string', _meta: {codex: {isSecret: true}}});
    expect(marked).toMatchObject({secret: true, looksSecret: true});
    expect(mayStoreAnswer(fieldOf({type: 'string', _meta: {codex: {isSecret: false}}}))).toBe(true);
  });

  it.each(['Your name', 'How many tokens may it use', 'Shipping'])(
    'that asks for "%s" asks for no secret',
    (title) => {
      expect(mayStoreAnswer(fieldOf({type: 'string', title}))).toBe(true);
    },
  );

  it('of any shape is read without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue({maxDepth: 5}), (schema) => {
        expect(Array.isArray(readFields(schema))).toBe(true);
        expect(Array.isArray(readFields({properties: schema, required: schema}))).toBe(true);
        expect(Array.isArray(readFields({properties: {a: schema}}))).toBe(true);
      }),
    );
  });
});

describe('a huge schema', () => {
  const many = Array.from({length: 30_000}, (_, index) => `value ${index}`);

  it('with options in two lists is read at once', () => {
    const field = fieldOf({enum: many, oneOf: many.toReversed().map((value) => ({const: value}))});
    expect('options' in field && field.options.length).toBe(many.length);
  });

  it('with all options selected is read at once', () => {
    const field = fieldOf({type: 'array', items: {enum: many}, default: many.toReversed()});
    expect(field).toMatchObject({default: expect.objectContaining({length: many.length})});
  });

  it('with required but undescribed properties is read at once', () => {
    const properties = Object.fromEntries(many.map((name) => [name, {type: 'string'}]));
    const required = many.map((name) => `${name} more`);
    expect(readFields({properties, required})).toHaveLength(2 * many.length);
  });
});
