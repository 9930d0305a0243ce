import type {ClientOptions} from '../options.ts';

/** The options with no sign-in method that each start uses. */
export function withoutMethod(options: ClientOptions): ClientOptions {
  const {authMethod, ...others} = options;
  return authMethod === undefined ? options : others;
}
