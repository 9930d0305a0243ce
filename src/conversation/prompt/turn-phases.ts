/** The way of a turn's prompt to the agent; what the user sees of the turn is in the session's state. `number` is that of the turn, or of the last one. */
export type TurnPhase = {readonly number: number} &
  /** No turn is running. */
  (
    | {readonly name: 'idle'}
    /** The prompt waits for its hooks. */
    | {readonly name: 'hooks'}
    /** The prompt waits for the snapshot before it, unless the user skips that. */
    | {readonly name: 'snapshot'; readonly skipping: AbortController}
    /** The agent has the prompt. */
    | {readonly name: 'sent'}
    /** Cancelled while the prompt waited: it is not sent. */
    | {readonly name: 'not_sent'}
  );

export type TurnEvent =
  | {readonly type: 'begin' | 'send' | 'cancel' | 'end'}
  | {readonly type: 'cover'; readonly skipping: AbortController};

/** Returns the phase that an event leads to; the same if the event is not possible. */
export function nextTurnPhase(phase: TurnPhase, event: TurnEvent): TurnPhase {
  const {number} = phase;
  switch (event.type) {
    case 'begin':
      return {name: 'hooks', number: number + 1};
    case 'cover':
      return phase.name === 'hooks' ? {name: 'snapshot', number, skipping: event.skipping} : phase;
    case 'send':
      return isWaiting(phase) ? {name: 'sent', number} : phase;
    case 'cancel':
      return isWaiting(phase) ? {name: 'not_sent', number} : phase;
    case 'end':
      return {name: 'idle', number};
  }
}

/** True while the agent does not have the prompt of the turn yet. */
export function isWaiting({name}: TurnPhase): boolean {
  return name === 'hooks' || name === 'snapshot';
}
