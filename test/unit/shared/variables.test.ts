import {describe, expect, test} from 'vitest';
import {expand, variablesIn} from '../../../src/shared/variables.ts';

const variables = {HOME: '/home/user', TOKEN: 'secret', EMPTY: '', NESTED: '${TOKEN}'};

function filled(text: string) {
  const problems: string[] = [];
  const values: string[] = [];
  const result = expand(text, {
    variables,
    onProblem: (problem) => void problems.push(problem),
    onValue: (value) => void values.push(value),
  });
  return {result, problems, values};
}

describe('variables in the settings of a server', () => {
  test.each([
    ['${HOME}/bin', '/home/user/bin'],
    ['Bearer ${TOKEN}', 'Bearer secret'],
    ['${env:TOKEN}', 'secret'],
    ['${TOKEN}${TOKEN}', 'secretsecret'],
    ['${UNSET:-default}', 'default'],
    ['${UNSET:-}', ''],
    ['${EMPTY:-default}', 'default'],
    ['${EMPTY}', ''],
    ['${TOKEN:-default}', 'secret'],
    ['${UNSET:-a:-b}', 'a:-b'],
    ['${UNSET:-${HOME}/x}', '/home/user/x'],
    ['${UNSET:-${EMPTY:-${TOKEN}}}/${TOKEN:-${UNSET}}', 'secret/secret'],
    ['{${TOKEN}}}', '{secret}}'],
    ['$HOME {HOME} $${ ', '$HOME {HOME} $${ '],
  ])('expand %s to %s', (text, result) => {
    expect(filled(text)).toMatchObject({result, problems: []});
  });

  test('are not expanded twice', () => {
    expect(filled('${NESTED}').result).toBe('${TOKEN}');
  });

  test.each([
    ['${UNSET}', 'the variable UNSET is not set'],
    ['${toString}', 'the variable toString is not set'],
    ['${input:key}', '${input:key} is not a variable'],
    ['${}', '${} is not a variable'],
    ['${TOKEN${HOME}}', '${TOKEN${HOME}} is not a variable'],
    ['${A:-${B}/x}', 'the variable B is not set'],
  ])('report %s: %s', (text, problem) => {
    expect(filled(text).problems).toEqual([problem]);
  });

  test('report their values, and not the default', () => {
    expect(filled('${TOKEN} ${UNSET:-plain}').values).toEqual(['secret']);
  });

  test('are named', () => {
    expect(variablesIn('a ${A} ${env:B:-c} ${no!} $D')).toEqual(['A', 'B']);
    expect(variablesIn('${A:-${B:-${C}}/x}')).toEqual(['A', 'B', 'C']);
    expect(variablesIn('${A:-'.repeat(50_000))).toEqual([]);
  });
});
