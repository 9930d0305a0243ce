import type {HappeningOf} from './happenings.ts';
import type {Rule} from './rule.ts';

/** Shorter than this, an agent that was ended had no time to answer. */
const PATIENCE_MS = 10_000;

/** Every request is answered. A prompt may take as long as it likes; one that was cancelled is another rule's. */
export const answered: Rule = {
  name: 'answered',
  page: 'overview#communication-model',
  find(life) {
    const exit = life.find(({kind}) => kind === 'exit');
    if (!exit) return [];
    return life
      .filter(
        (one): one is HappeningOf<'request'> =>
          one.kind === 'request' &&
          one.from === 'client' &&
          one.method !== 'session/prompt' &&
          !one.isAnswered &&
          exit.t - one.t >= PATIENCE_MS,
      )
      .map(({index}) => ({index, text: 'it was never answered'}));
  },
};
