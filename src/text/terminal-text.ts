/** The plain text that a terminal's byte stream leaves behind, as far as it has come. */
export interface TerminalText {
  /** No control characters but line feeds. */
  readonly text: string;
  /** True once the start of the output was dropped to keep the limit. */
  readonly truncated: boolean;
  /** What the next data continues: an unfinished sequence, the cursor's place in its line. Bounded; opaque. */
  readonly carry: string;
}

export const emptyTerminalText: TerminalText = {text: '', truncated: false, carry: ''};

export function appendTerminalText(previous: TerminalText, data: string, limit: number): TerminalText {
  return {...previous, text: (previous.text + data).slice(-limit)};
}
