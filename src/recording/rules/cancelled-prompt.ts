import {sessionIn, type Happening, type HappeningOf} from './happenings.ts';
import type {Breach, Rule} from './rule.ts';

/** How long a cancelled prompt may take to be answered, in milliseconds. */
export const CANCEL_LIMIT_MS = 5000;
/** An answer within this time, in milliseconds, was on its way when the cancel was sent. */
export const CROSSED_MS = 50;

interface OpenPrompt {
  readonly index: number;
  readonly sessionId: string;
  cancelled?: {readonly index: number; readonly t: number};
}

/** A prompt that was cancelled is answered, soon, and with `cancelled`. */
export const cancelledPrompt: Rule = {
  name: 'cancelled-prompt',
  page: 'prompt-turn#cancellation',
  find(life) {
    const open = new Map<number, OpenPrompt>();
    const found = life.flatMap((happening): readonly Breach[] => {
      follow(open, happening);
      if (happening.kind !== 'answer') return [];
      const prompt = open.get(happening.asked);
      open.delete(happening.asked);
      const text = prompt?.cancelled && problemWith(happening, happening.t - prompt.cancelled.t);
      return text === undefined ? [] : [{index: happening.index, text}];
    });
    const end = life.at(-1)?.t ?? 0;
    const never = [...open.values()].flatMap(({cancelled}) =>
      cancelled && end - cancelled.t >= CANCEL_LIMIT_MS
        ? [{index: cancelled.index, text: 'the cancelled prompt was never answered'}]
        : [],
    );
    return [...found, ...never];
  },
};

/** A cancel with several prompts under way may mean any of them, and is not judged. */
function follow(open: Map<number, OpenPrompt>, happening: Happening): void {
  if (happening.from !== 'client') return;
  if (happening.kind === 'request' && happening.method === 'session/prompt')
    open.set(happening.index, {index: happening.index, sessionId: sessionIn(happening.params)});
  if (happening.kind !== 'notification' || happening.method !== 'session/cancel') return;
  const meant = [...open.values()].filter(({sessionId}) => sessionId === sessionIn(happening.params));
  const [only] = meant;
  if (only && meant.length === 1) only.cancelled ??= {index: happening.index, t: happening.t};
}

function problemWith({result}: HappeningOf<'answer'>, ms: number): string | undefined {
  if (ms < CROSSED_MS) return undefined;
  if (!result) return 'the cancelled prompt was answered with an error';
  const {stopReason} = result;
  if (stopReason !== 'cancelled')
    return `the cancelled prompt was answered with ${JSON.stringify(stopReason) ?? 'nothing'}`;
  return ms > CANCEL_LIMIT_MS
    ? `the cancelled prompt was answered only after ${Math.round(ms / 1000)} s`
    : undefined;
}
