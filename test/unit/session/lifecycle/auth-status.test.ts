import {describe, expect, test} from 'vitest';
import {authStatusLabel, readAuthStatusUpdate} from '../../../../src/shared/authentication.ts';

const work = {label: 'Team plan', email: 'ann@example.com', organization: 'Example'};
const own = {label: 'API key'};

describe('the sign-in status in words', () => {
  test.each([
    [undefined, undefined],
    [{state: 'unknown'}, undefined],
    [{state: 'from the future'}, undefined],
    [{state: 'toString'}, undefined],
    [{state: 'not_required'}, 'no sign-in needed'],
    [{state: 'unauthenticated', accounts: []}, 'not signed in'],
    [
      {state: 'authenticated', accounts: [work, own]},
      'signed in: Team plan (ann@example.com, Example); API key',
    ],
    [
      {state: 'authenticated', accounts: [{...work, active: true}, own]},
      'signed in: Team plan (ann@example.com, Example)',
    ],
    [{state: 'unknown', accounts: [own]}, 'API key'],
  ])('%j is %j', (status, words) => expect(authStatusLabel(status)).toBe(words));
});

describe('the status sent in _auth/status_update', () => {
  test.each([
    [
      {kind: 'gateway', label: 'Custom model gateway', detail: 'mock'},
      'signed in: Custom model gateway (mock)',
    ],
    [
      {
        kind: 'subscription',
        label: 'Claude Max',
        account: {email: 'ann@example.com', organization: 'Example'},
      },
      'signed in: Claude Max (ann@example.com, Example)',
    ],
    [{kind: 'none', label: 'Not logged in'}, 'not signed in'],
    [{kind: 'gateway'}, undefined],
    [null, undefined],
  ])('%j is %s', (authStatus, words) => {
    expect(authStatusLabel(readAuthStatusUpdate({authStatus}))).toBe(words);
  });
});
