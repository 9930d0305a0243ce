/** What can be heard of an agent process, named by its `pid`, and of the wire to it. `at` is milliseconds since the epoch. */
export type WireEvent = {readonly pid: number; readonly at: number} & (
  | {readonly kind: 'started'; readonly agent: StartedAgent; readonly cwd: string}
  /** A line in either direction, as it was sent. */
  | {readonly kind: 'message'; readonly direction: 'from_agent' | 'to_agent'; readonly line: string}
  /** Text in pieces of any size. */
  | {readonly kind: 'stderr'; readonly text: string}
  /** `asked` where we ended it. */
  | {
      readonly kind: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      readonly asked: boolean;
    }
);

export interface StartedAgent {
  /** As the user named it. */
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
}
