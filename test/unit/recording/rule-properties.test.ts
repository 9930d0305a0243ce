import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {findingsIn} from '../../../src/protocol/wire-findings.ts';
import {exchangesOf} from '../../../src/recording/exchanges.ts';
import {readLine, type RecordingLine} from '../../../src/recording/format.ts';
import {detailOf, titleOf} from '../../../src/recording/describe.ts';

/** Any value, and often one that resembles the protocol. */
const WORDS =
  'session/update session/prompt session/new session/load session/cancel session/list initialize session/request_permission ' +
  'fs/read_text_file terminal/create elicitation/create s c /p p tool_call tool_call_update agent_message_chunk ' +
  'current_mode_update config_option_update select';
const KEYS =
  'id method params result error sessionId update sessionUpdate toolCallId toolCall content toString type locations path line ' +
  'options optionId kind configOptions currentValue modes cwd';
const word = fc.constantFrom(...WORDS.split(' '));
const key = fc.constantFrom(...KEYS.split(' '));
const {message} = fc.letrec<{value: unknown; message: Record<string, unknown>}>((tie) => ({
  value: fc.oneof(
    {depthSize: 'small', withCrossShrink: true},
    word,
    fc.integer({min: -1, max: 3}),
    fc.constant(null),
    tie('message'),
    fc.array(tie('value'), {maxLength: 3}),
  ),
  message: fc.dictionary(key, tie('value'), {maxKeys: 5}),
}));
const said = fc.record(
  {method: word, id: fc.option(fc.nat(3), {nil: undefined}), params: message},
  {requiredKeys: []},
);
const line = fc.oneof(
  fc.record({d: fc.constantFrom('<' as const, '>' as const), m: fc.oneof(message, said)}),
  fc.record({d: fc.constant('<' as const), text: fc.string()}),
  fc.constant({d: '#' as const, e: 'exit' as const, code: 0, signal: null, asked: true}),
);

test('any recording is judged without an error, and each finding has an existing line', () => {
  const first: RecordingLine = {t: 0, d: '>', m: {id: 0, method: 'initialize', params: {}}};
  fc.assert(
    fc.property(fc.array(line, {maxLength: 30}), (rest) => {
      const later = rest.map((one, index) => readLine(JSON.stringify({t: index, ...one})));
      const lines = [first, ...later.flatMap((one) => one ?? [])];
      const exchanges = exchangesOf(lines);
      const findingsOf = findingsIn(exchanges);
      for (const exchange of exchanges)
        expect(typeof (titleOf(exchange) + detailOf(exchange))).toBe('string');
      for (const {line: number} of exchanges.flatMap((exchange) => findingsOf(exchange))) {
        expect(number).toBeGreaterThan(0);
        expect(number).toBeLessThanOrEqual(lines.length);
      }
    }),
  );
});
