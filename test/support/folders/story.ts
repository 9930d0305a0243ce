import type {SessionEvent} from '../../../src/session/events.ts';

/** The steps of a process, always the same for a seed. */
export type StoryStep =
  | {readonly kind: 'event'; readonly event: SessionEvent}
  | {readonly kind: 'draft'; readonly text: string}
  | {readonly kind: 'history'; readonly text: string};

/** Numbers from 0 up to 1, always the same for a seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Endless turns, with answers of very different lengths, and drafts typed meanwhile. */
export function* story(seed: number): Generator<StoryStep> {
  const random = randomNumbers(seed);
  let at = 0;
  const event = (content: Record<string, unknown>): StoryStep => ({
    kind: 'event',
    event: {...content, at: at++} as SessionEvent,
  });
  const session = {sessionId: `story-${seed}`, cwd: '/project', additionalDirectories: []};
  yield event({type: 'session_opened', session, how: 'new'});
  yield event({type: 'connection_changed', connection: {kind: 'ready'}});
  for (let turn = 1; ; turn++) {
    yield {kind: 'history', text: `prompt ${turn} of ${seed}`};
    yield event({
      type: 'prompt_started',
      turn,
      content: [{type: 'text', text: `prompt ${turn} of ${seed}`}],
    });
    for (let count = random() * 20; count > 0; count--) {
      const text = 'word '.repeat(1 + random() ** 8 * 20_000);
      const update = {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}};
      yield event({type: 'session_update', update});
      if (random() < 0.3) yield {kind: 'draft', text: `draft ${at} of ${seed}`};
    }
    const outcome = {kind: 'stopped', stopReason: 'end_turn'};
    yield event({type: 'prompt_ended', turn, outcome});
  }
}
