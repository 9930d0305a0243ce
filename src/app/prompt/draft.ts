/** What is being typed. Offsets count UTF-16 units and always lie on the edge of a grapheme cluster. */
export interface Draft {
  readonly text: string;
  readonly caret: number;
}

export const emptyDraft: Draft = {text: '', caret: 0};
