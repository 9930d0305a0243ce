/**
 * Limits on what one agent can use at once: past a limit it gets an error or waits, and the user sees one line. A test
 * compares the table in docs/reliability.md.
 */
export const LIMITS = {
  /** Terminals of a session that were not released. */
  terminals: 64,
  /** Requests of an agent that are not answered yet. */
  requests: 512,
  /** Requests for permission and forms that wait for the user. */
  questions: 100,
  /** Requests of an agent in one second. */
  requestsPerSecond: 2000,
  /** Answers with content that an agent has not read yet, in bytes; past that its reads wait. */
  unreadBytes: 64 * 1024 * 1024,
  /** Entries of a plan that are kept. */
  planEntries: 1000,
  /** A file with a plan that is shown, in bytes; of a larger one only the name is. */
  planBytes: 256 * 1024,
  /** Content that is opened, in bytes. */
  contentBytes: 64 * 1024 * 1024,
  /** Files that a run writes with `--save-content`. */
  savedFiles: 1000,
} as const;
