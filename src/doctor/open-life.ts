import type {Result} from '../shared/failure.ts';
import {limited} from './attempt.ts';
import type {Examination} from './examination.ts';
import {OFFER, type Life} from './life.ts';

/** Starts another process of the agent, and gets it so far that sessions can be opened. */
export async function openLife({start, options}: Examination): Promise<Result<Life>> {
  options.onProgress('another process');
  const started = await start();
  if (!started.ok) return started;
  const {connection} = started.value;
  const initialized = await limited(connection.initialize(OFFER), {method: 'initialize', ...options});
  if (!initialized.ok) return initialized;
  if (options.authMethod === undefined) return started;
  const signedIn = await limited(connection.authenticate(options.authMethod), {
    method: 'authenticate',
    ...options,
  });
  return signedIn.ok ? started : signedIn;
}
