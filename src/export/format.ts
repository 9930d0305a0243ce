import type {SessionDocument} from './document.ts';

/** The forms, as they are asked for. */
export const EXPORT_NAMES = ['markdown', 'html', 'json'] as const;
export type ExportName = (typeof EXPORT_NAMES)[number];

/** Also what was said on the wire, which no document has. */
export const EXPORT_CHOICES = [...EXPORT_NAMES, 'recording'] as const;
export type ExportChoice = (typeof EXPORT_CHOICES)[number];

/** A form in which a session can be exported. */
export interface ExportFormat {
  readonly name: ExportName;
  /** Ends the names of its files, without the dot. */
  readonly extension: string;
  /** The whole file. */
  readonly write: (document: SessionDocument, pace?: YieldControl) => Promise<string>;
}

/** Asked between pieces of work: whether to wait, so that what else there is to do can be done. */
export type YieldControl = () => Promise<void> | undefined;

/** For those who do nothing else meanwhile. */
export const neverYield: YieldControl = () => undefined;
