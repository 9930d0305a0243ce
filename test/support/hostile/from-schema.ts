import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import * as fc from 'fast-check';

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly not?: Schema;
}

export type SchemaVersion = 1 | 2;

function definitionsOf(version: SchemaVersion): Readonly<Record<string, Schema>> {
  const path = createRequire(import.meta.url).resolve(
    `@agentclientprotocol/sdk/schema/v${version}/schema.unstable.json`,
  );
  const {$defs} = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly $defs: Readonly<Record<string, Schema>>;
  };
  return $defs;
}

/** The placeholder for strings of a message. */
export interface Words {
  readonly text: fc.Arbitrary<string>;
  /** Few, so that messages refer to each other. */
  readonly id: fc.Arbitrary<string>;
}

type Value = fc.Arbitrary<unknown>;

/** Messages of the protocol's schema, with drafts, by type name: every field is filled eventually. */
export function fromSchema({text, id}: Words, version: SchemaVersion = 1): (name: string) => Value {
  const definitions = definitionsOf(version);
  const known = new Map<string, Value>();
  const anything: Value = fc.oneof(
    text,
    fc.dictionary(text, text, {maxKeys: 2}),
    fc.array(text, {maxLength: 2}),
  );

  function named(name: string): Value {
    if (name.endsWith('Id')) return id;
    let value = known.get(name);
    if (!value) known.set(name, (value = fc.memo(() => valueOf(definitions[name] ?? {}))()));
    return value;
  }

  function valueOf(schema: Schema): Value {
    const {$ref, anyOf, allOf, oneOf, properties} = schema;
    if ('const' in schema) return fc.constant(schema.const);
    if ($ref !== undefined) return lazily(() => named($ref.slice('#/$defs/'.length)));
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = anyOf ?? oneOf;
    const parts = [
      ...(properties ? [objectOf(properties, schema.required ?? [])] : []),
      ...(allOf ?? []).map(valueOf),
      ...(choices ? [fc.oneof(...choices.filter((choice) => !choice.not).map(valueOf))] : []),
    ];
    const [first, ...others] = parts;
    if (first === undefined) return plainOf(schema);
    return others.length === 0 ? first : fc.tuple(...parts).map(merged);
  }

  function plainOf(schema: Schema): Value {
    const {type} = schema;
    const types = typeof type === 'string' ? [type] : (type ?? ['any']);
    return fc.oneof(...types.map((each) => plainOfType(each, schema)));
  }

  function plainOfType(type: string, {items, additionalProperties: rest}: Schema): Value {
    switch (type) {
      case 'string':
        return text;
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return fc.integer({min: 0, max: 100_000});
      case 'array':
        return fc.array(
          lazily(() => valueOf(items ?? {})),
          {maxLength: 3},
        );
      case 'object':
        return fc.dictionary(text, typeof rest === 'object' ? lazily(() => valueOf(rest)) : anything, {
          maxKeys: 2,
        });
      default:
        return anything;
    }
  }

  /** Most optional fields are present. */
  function objectOf(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Value {
    const values = Object.entries(properties).map(([key, schema]) => {
      const value = lazily(() => valueOf(schema));
      const isThere = required.includes(key) ? fc.constant(true) : fc.nat(4).map((one) => one > 0);
      return fc.tuple(fc.constant(key), value, isThere);
    });
    return fc
      .tuple(...values)
      .map((fields) => Object.fromEntries(fields.filter(([, , isThere]) => isThere)) as unknown);
  }

  return named;
}

/** Types are recursive: a field's type is resolved when a value is generated. */
function lazily(make: () => Value): Value {
  return fc.constant(undefined).chain(make);
}

function merged(parts: readonly unknown[]): unknown {
  return parts.every((part) => typeof part === 'object' && part !== null && !Array.isArray(part))
    ? Object.assign({}, ...(parts as object[]))
    : parts[0];
}
