import * as fc from 'fast-check';

const words = fc.string({unit: 'grapheme', maxLength: 6});
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, {nil: undefined});
const described = {title: optional(words), description: optional(words)};

function record(shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record(shape)
    .map((schema) => Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)));
}

/** Distinct texts, in every form that the schema has for a choice of them. */
const choices = fc.uniqueArray(words, {minLength: 1, maxLength: 12}).chain((values) => {
  const titled = values.map((value) => ({const: value, title: `The ${value}`}));
  return fc.record({
    values: fc.constant(values),
    single: fc.constantFrom<Record<string, unknown>>(
      {enum: values},
      {enum: values, enumNames: values.map((value) => `The ${value}`)},
      {oneOf: titled},
    ),
    items: fc.constantFrom<Record<string, unknown>>({type: 'string', enum: values}, {anyOf: titled}),
  });
});

const text = record({
  type: fc.constant('string'),
  minLength: optional(fc.nat(4)),
  maxLength: optional(fc.nat(8)),
  default: optional(words),
  ...described,
});
const bounds = {
  minimum: optional(fc.integer({min: -20, max: 20})),
  maximum: optional(fc.integer({min: -20, max: 20})),
};
const number = record({
  type: fc.constantFrom('number', 'integer'),
  ...bounds,
  default: optional(fc.integer()),
  ...described,
});
const boolean = record({type: fc.constant('boolean'), default: optional(fc.boolean()), ...described});
const choice = choices.chain(({values, single}) =>
  record({
    type: fc.constant('string'),
    ...Object.fromEntries(Object.entries(single).map(([key, value]) => [key, fc.constant(value)])),
    default: optional(fc.constantFrom(...values)),
    ...described,
  }),
);
const several = choices.chain(({values, items}) =>
  record({
    type: fc.constant('array'),
    items: fc.constant(items),
    minItems: optional(fc.nat(3)),
    maxItems: optional(fc.nat(5)),
    default: optional(fc.subarray(values)),
    ...described,
  }),
);

/** The schema of a property of a known kind. */
export const property = fc.oneof(text, number, boolean, choice, several);

/** A schema as an agent may send it. */
export const requestedSchema = fc
  .array(
    fc.tuple(fc.oneof(fc.string({maxLength: 5}), fc.constantFrom('__proto__', 'constructor', '1')), property),
    {
      maxLength: 5,
    },
  )
  .chain((properties) => {
    const named = Object.fromEntries(properties);
    return fc.subarray(Object.keys(named)).map((required) => ({type: 'object', properties: named, required}));
  });

/** Values near those that a property accepts. */
export const value = fc.oneof(
  words,
  fc.integer({min: -30, max: 30}),
  fc.double({noNaN: true, noDefaultInfinity: true}),
  fc.boolean(),
);
