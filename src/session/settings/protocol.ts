/** The versions of the protocol that can be chosen; `auto` is 2 with agents that are known to speak it well. */
export const PROTOCOLS = ['1', '2', 'auto'] as const;

export type ProtocolChoice = (typeof PROTOCOLS)[number];
