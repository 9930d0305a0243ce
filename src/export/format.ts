import type {SessionDocument} from './document.ts';

/** The export formats by name. */
export const EXPORT_NAMES = ['markdown', 'html', 'json'] as const;
export type ExportName = (typeof EXPORT_NAMES)[number];

/** Also a recording of the protocol messages, which are not in a document. */
export const EXPORT_CHOICES = [...EXPORT_NAMES, 'recording'] as const;
export type ExportChoice = (typeof EXPORT_CHOICES)[number];

/** An export format. */
export interface ExportFormat {
  readonly name: ExportName;
  /** The file extension, without the dot. */
  readonly extension: string;
  /** Returns the whole file. */
  readonly write: (document: SessionDocument, pace?: YieldControl) => Promise<string>;
}

/** Called between pieces of work: returns a promise to wait for if other work is due. */
export type YieldControl = () => Promise<void> | undefined;

/** For callers without other work. */
export const neverYield: YieldControl = () => undefined;
