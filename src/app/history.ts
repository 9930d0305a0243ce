/** Earlier prompts, newest last, without repeats in a row. */
export interface History {
  readonly project: readonly string[];
  readonly everywhere: readonly string[];
}

export const emptyHistory: History = {project: [], everywhere: []};
