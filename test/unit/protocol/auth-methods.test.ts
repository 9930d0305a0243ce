import {describe, expect, test} from 'vitest';
import {readAuthMethods} from '../../../src/protocol/capabilities.ts';

const read = (...authMethods: readonly unknown[]) => readAuthMethods({authMethods});
const key = {id: 'key', name: 'API key', type: 'env_var'};

describe('sign-in methods of an agent', () => {
  test('of the kind env_var keep their variables, which are secret unless the agent says otherwise', () => {
    const vars = [
      {name: 'API_KEY'},
      {name: 'ENDPOINT', label: 'Endpoint URL', secret: false, optional: true},
      {name: 'OTHER', label: '', secret: 'no', optional: 'yes'},
    ];
    expect(read({...key, vars, link: 'https://example.com'})).toEqual([
      {
        ...key,
        link: 'https://example.com',
        vars: [
          {name: 'API_KEY', secret: true, optional: false},
          {name: 'ENDPOINT', label: 'Endpoint URL', secret: false, optional: true},
          {name: 'OTHER', secret: true, optional: false},
        ],
      },
    ]);
  });

  test.each([
    [[]],
    ['API_KEY'],
    [[{name: 'A'}, {label: 'no name'}]],
    [[{name: 'not a name'}]],
    [[{name: 'A=B'}]],
    [undefined],
  ])('with the variables %j are left out, since they cannot be asked for completely', (vars) => {
    expect(read({...key, vars}, {id: 'other', name: 'Other'})).toEqual([{id: 'other', name: 'Other'}]);
  });

  test('with a duplicate ID are left out, since selecting them would run the other', () => {
    const twin = {id: 'x', name: 'Harmless', type: 'terminal', args: ['--other']};
    expect(read({id: 'x', name: 'X'}, twin, {id: 'y', name: 'Y'})).toEqual([
      {id: 'x', name: 'X'},
      {id: 'y', name: 'Y'},
    ]);
  });

  test('of the kind env_var ask for each variable once', () => {
    const [method] = read({...key, vars: [{name: 'A'}, {name: 'B'}, {name: 'A', secret: false}]});
    expect(method).toMatchObject({
      vars: [
        {name: 'A', secret: true},
        {name: 'B', secret: true},
      ],
    });
  });

  test('of an unknown kind are kept apart from those that the agent runs itself', () => {
    expect(read({id: 'x', name: 'X', type: 'passkey'}, {id: 'y', name: 'Y', type: 'agent'})).toEqual([
      {type: 'unknown', id: 'x', name: 'X', kind: 'passkey'},
      {id: 'y', name: 'Y'},
    ]);
  });

  test.each([[undefined], [null], ['token'], [{}], [{authMethods: {}}], [{authMethods: [null, 1, {id: 1}]}]])(
    'in %j are none',
    (answer) => expect(readAuthMethods(answer)).toEqual([]),
  );
});
