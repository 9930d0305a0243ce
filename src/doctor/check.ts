/** One line of the matrix: something that an agent can do, and whether it does. */
export interface Check {
  /** Stable, for programs. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** `always` is what every agent owes; `untold` is what the protocol has no word for. */
  readonly advertised: 'yes' | 'no' | 'always' | 'untold';
  readonly result: 'worked' | 'failed' | 'timeout' | 'not_tried';
  /** How long it took. */
  readonly ms?: number;
  /** What was seen, or why it did not work or was not tried. May hold the agent's own words. */
  readonly note?: string;
}

export type Subject = Pick<Check, 'id' | 'name' | 'advertised'>;

export function notTried(subject: Subject, note: string): Check {
  return {...subject, result: 'not_tried', note};
}

/** What an agent advertised or not. */
export function told(isAdvertised: boolean): 'yes' | 'no' {
  return isAdvertised ? 'yes' : 'no';
}

/** Why what needs a session is not tried. */
export const NO_SESSION = 'no session was opened';
