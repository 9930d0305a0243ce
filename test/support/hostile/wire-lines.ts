import * as fc from 'fast-check';
import {type SchemaVersion, type Words, fromSchema} from './from-schema.ts';

type Fields = Record<string, unknown>;

/** A value that replaces another one. */
const ODD = [null, 0, -1, '', 'text', true, [], {}, [null], {type: 'text'}, ['a', ['b']]];

interface Slip {
  readonly place: number;
  readonly how: 'missing' | 'other' | 'snake_case' | 'doubled';
  readonly odd: unknown;
}

const slips = fc.array(
  fc.record({
    place: fc.nat(),
    how: fc.constantFrom('missing', 'other', 'snake_case', 'doubled'),
    odd: fc.constantFrom(...ODD),
  }),
  {maxLength: 3},
);

/** A malformed message: a field missing, of another type, under another name, or nested in itself. */
function slipped(message: unknown, all: readonly Slip[]): unknown {
  const copy: unknown = structuredClone(message);
  for (const {place, how, odd} of all) {
    const fields = [...fieldsOf(copy)];
    const [holder, name] = fields[place % Math.max(1, fields.length)] ?? [];
    if (!holder || name === undefined) continue;
    const value = holder[name];
    if (how === 'other') holder[name] = structuredClone(odd);
    else if (how === 'doubled') holder[name] = {[name]: structuredClone(value)};
    else delete holder[name];
    if (how === 'snake_case') holder[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value;
  }
  return copy;
}

function* fieldsOf(value: unknown): Generator<[holder: Fields, name: string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    yield [value as Fields, name];
    yield* fieldsOf(inner);
  }
}

/** Lines of an agent's standard output: schema messages, malformed ones, truncated ones, and anything else. */
export function wireLines(words: Words, version: SchemaVersion = 1): fc.Arbitrary<string> {
  const schema = fromSchema(words, version);
  const update = fc.record({sessionId: words.id, update: schema('SessionUpdate')});
  const call = (method: string, params: fc.Arbitrary<unknown>, id?: fc.Arbitrary<unknown>) =>
    fc.record({
      jsonrpc: fc.constant('2.0'),
      method: fc.constant(method),
      params,
      ...(id && {id}),
    }) as fc.Arbitrary<unknown>;
  const id = fc.oneof(fc.nat(1000), words.text);
  const message = fc.oneof(
    {weight: 8, arbitrary: call('session/update', update)},
    {weight: 3, arbitrary: call('session/request_permission', schema('RequestPermissionRequest'), id)},
    call('session/update', update, id),
    call(
      'session/update',
      update.map(({sessionId, update}) => Object.assign({}, update, {sessionId})),
    ),
    fc.record({method: words.text, params: words.text, id}),
  );
  return fc.oneof(
    {weight: 4, arbitrary: message.map((one) => JSON.stringify(one))},
    {weight: 5, arbitrary: fc.tuple(message, slips).map(([one, all]) => JSON.stringify(slipped(one, all)))},
    fc.tuple(message, fc.nat(80)).map(([one, end]) => JSON.stringify(one).slice(0, end)),
    words.text.map((text) => text.replaceAll('\n', ' ')),
  );
}
