/** Where results go. */
export interface Page {
  readonly write: (text: string) => void;
  /** The width of the terminal; undefined where there is none, and nothing is to be cut. */
  readonly columns: number | undefined;
  readonly look: Look;
}

/** How things look: as they are where there are no colours. */
export interface Look {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly found: (text: string) => string;
  readonly heading: (text: string) => string;
}
