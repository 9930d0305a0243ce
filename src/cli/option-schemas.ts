import * as z from 'zod/mini';
import {orList} from '../text/format.ts';

/** Accepts one of these words. */
export function oneOf<const Values extends readonly string[]>(flag: string, values: Values) {
  return z.lazy(() =>
    z.enum(values, {error: ({input}) => `${flag} must be ${orList(values)}, not "${String(input)}".`}),
  );
}

// Most options are not given, and creating their schemas takes milliseconds.

/** Parses `NAME=value` into a pair; splits at the first `=`. */
export function pair(flag: string, form: string) {
  const error = ({input}: {readonly input?: unknown}) => `${flag} must be ${form}, not "${String(input)}".`;
  return z.lazy(() =>
    z.pipe(
      z.string().check(z.regex(/^[^=\0]+=/, {error})),
      z.transform((text): readonly [string, string] => {
        const at = text.indexOf('=');
        return [text.slice(0, at), text.slice(at + 1)];
      }),
    ),
  );
}

export const notEmpty = (flag: string) =>
  z.lazy(() => z.string().check(z.minLength(1, {error: `${flag} requires a value that is not empty.`})));

/** The maximum delay of `setTimeout`. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** The value of `--timeout`. */
export const seconds = z.lazy(() =>
  z.pipe(
    z.transform(Number),
    z.number({error: '--timeout must be a number of seconds.'}).check(
      z.positive({error: '--timeout must be greater than 0 seconds.'}),
      z.maximum(MAX_TIMEOUT_SECONDS, {
        error: `--timeout must be at most ${MAX_TIMEOUT_SECONDS} seconds.`,
      }),
    ),
  ),
);
