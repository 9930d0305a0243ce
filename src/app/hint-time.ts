/** How long feedback stands, in milliseconds. */
export const HINT_MS = 5000;
