/** The text of an agent's permission request, with or without the focus. */
export const ASKS = /Allow this (?:command|change|tool call)\?/;

/** The text of a request without the focus. */
export const WAITS = 'Needs you · Tab answer';
