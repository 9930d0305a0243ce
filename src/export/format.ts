import type {SessionDocument} from './document.ts';
import type {Pace} from './pace.ts';

/** The forms, as they are asked for. */
export const EXPORT_NAMES = ['markdown', 'html', 'json'] as const;
export type ExportName = (typeof EXPORT_NAMES)[number];

/** A form in which a session can be exported. */
export interface ExportFormat {
  readonly name: ExportName;
  /** Ends the names of its files, without the dot. */
  readonly extension: string;
  /** The whole file. */
  readonly write: (document: SessionDocument, pace?: Pace) => Promise<string>;
}
