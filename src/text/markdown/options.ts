import type {MarkdownStyle} from './style.ts';

export interface RenderOptions {
  /** Lines are never wider, as long as the columns hold the widest character. */
  readonly columns: number;
  readonly style: MarkdownStyle;
  /** Whether code is highlighted: for finished blocks only, it is the dearest part. */
  readonly highlight: boolean;
}
