/**
 * Limits on what one agent can use at the same time: past a limit its requests fail or wait, and the user sees one line. A test compares the table in
 * docs/internals/reliability.md.
 */
export const LIMITS = {
  /** Unreleased terminals of a session. */
  terminals: 64,
  /** Unanswered requests of an agent. */
  requests: 512,
  /** Permission requests and forms that wait for the user. */
  questions: 100,
  /** Requests of an agent per second. */
  requestsPerSecond: 2000,
  /** Responses with content that the agent has not read yet, in bytes; past that its reads wait. */
  unreadBytes: 64 * 1024 * 1024,
  /** Subagents of a session: their record is copied on each of their updates. */
  subagents: 1000,
  /** How deep they are nested: more than any agent does, and safe for recursion. */
  subagentLevels: 100,
  /** Stored entries of a plan. */
  planEntries: 1000,
  /** Size of a plan file that is shown, in bytes; of a larger one only its name is. */
  planBytes: 256 * 1024,
  /** Content to open, in bytes. */
  contentBytes: 64 * 1024 * 1024,
  /** Files that a run writes with `--save-content`. */
  savedFiles: 1000,
} as const;

/** By default the oldest sessions are deleted when all together use more. */
export const MAX_STORED_BYTES = 4 * 1024 ** 3;
