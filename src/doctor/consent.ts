import type {Examination} from './examination.ts';

/** Whether a prompt may be sent; asks once. */
export async function mayPrompt({found, options}: Examination): Promise<boolean> {
  options.signal.throwIfAborted();
  found.consent ??= await options.mayPrompt();
  return found.consent;
}
