/** A file that settings are written to. */
export type SettingPlace = 'user' | 'folder';

/** A setting as it is now. Values are text with credentials masked. */
export interface SettingRow {
  /** Its name, with dots. */
  readonly id: string;
  /** What it was called. */
  readonly earlierName: string | undefined;
  readonly topic: string;
  /** One sentence without its full stop. */
  readonly description: string;
  readonly allowed: string;
  /** When a change applies. */
  readonly applies: string;
  /** All values; undefined if the value is typed. */
  readonly choices: readonly string[] | undefined;
  readonly value: string | undefined;
  /** Initial text for typing a new value. */
  readonly typed: string;
  /** The default. */
  readonly defaultValue: string | undefined;
  /** The source of the value; undefined if there is none. */
  readonly source: string | undefined;
  /** Files it can be written to, and where they are. */
  readonly places: readonly SettingPlace[];
  readonly isSet: Readonly<Record<SettingPlace, boolean>>;
  /** The file that provides the value, if one does. */
  readonly setIn: SettingPlace | undefined;
  /** Additional notes, as sentences. */
  readonly notes: readonly string[];
}

/** Where the user left the list of settings, for returning to it. */
export interface SettingsReturn {
  readonly filter: string;
  /** The id of the selected setting. */
  readonly selected?: string | undefined;
}
