/** What was answered about hosts in a turn. A host is asked about once. */
export interface AnsweredHosts {
  /** The signal aborts at the end of the turn. */
  answer(about: string, decide: (turnOver: AbortSignal) => Promise<HostAnswer>): Promise<boolean>;
  turnOver(): void;
}

interface HostAnswer {
  readonly isAllowed: boolean;
  /** True if it holds for the turn. */
  readonly isKept: boolean;
}

export function createAnsweredHosts(): AnsweredHosts {
  const answers = new Map<string, Promise<HostAnswer>>();
  let turn = new AbortController();
  return {
    async answer(about, decide) {
      const answer = answers.get(about) ?? decide(turn.signal);
      answers.set(about, answer);
      const {isAllowed, isKept} = await answer;
      if (!isKept && answers.get(about) === answer) answers.delete(about);
      return isAllowed;
    },
    turnOver() {
      answers.clear();
      turn.abort();
      turn = new AbortController();
    },
  };
}
