/** A file that settings are written to. */
export type SettingPlace = 'user' | 'folder';

/** A setting as it is now. Values are text with credentials masked. */
export interface SettingRow {
  /** Its name, with dots. */
  readonly id: string;
  readonly topic: string;
  /** One sentence without its stop. */
  readonly description: string;
  readonly allowed: string;
  /** When a change applies. */
  readonly applies: string;
  /** All values; undefined if it is typed. */
  readonly choices: readonly string[] | undefined;
  readonly value: string | undefined;
  /** What typing a new value starts with. */
  readonly typed: string;
  /** The default. */
  readonly usual: string | undefined;
  /** Where the value comes from; undefined if there is none. */
  readonly source: string | undefined;
  /** Where it can be written, and where it is. */
  readonly places: readonly SettingPlace[];
  readonly isSet: Readonly<Record<SettingPlace, boolean>>;
  /** The file that decides, if one does. */
  readonly setIn: SettingPlace | undefined;
  /** More to know: sentences. */
  readonly notes: readonly string[];
}

/** Where the list of settings was left, for the way back to it. */
export interface SettingsReturn {
  readonly filter: string;
  /** The id of the selected setting. */
  readonly selected?: string | undefined;
}
