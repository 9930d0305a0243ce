import {describe, expect, test} from 'vitest';
import {authStatusWords} from '../../../src/session/auth-status.ts';

const work = {label: 'Team plan', email: 'ann@example.com', organization: 'Example'};
const own = {label: 'API key'};

describe('how the user is signed in, in words', () => {
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
  ])('%j is %j', (status, words) => expect(authStatusWords(status)).toBe(words));
});
