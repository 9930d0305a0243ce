/** Playback speed: a factor of the recorded speed; `Infinity` never waits. */
type Speed = number;

interface RecordingOptions {
  readonly file: string;
}

export interface InspectOptions extends RecordingOptions {
  readonly words: readonly string[];
  readonly form: 'table' | 'json';
}

export interface ReplayOptions extends RecordingOptions {
  /** The agent process to show, from 1; all of them if absent. */
  readonly run: number | undefined;
  readonly speed: Speed;
  /** Waits for a key before each step. */
  readonly step: boolean;
  /** Shows the messages instead of the session. */
  readonly list: boolean;
}

export interface ServeOptions extends RecordingOptions {
  readonly speed: Speed;
  /** The agent process to serve, from 1. */
  readonly run: number;
}
