/** The shells that can complete. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What scripts ask for while somebody types. */
export const LISTS = ['agents', 'own-agents', 'installed-agents', 'sessions', 'settings'] as const;
export type ListName = (typeof LISTS)[number];

/** What `acp-tui completion` is asked for. */
export type CompletionCommand =
  {readonly kind: 'script'; readonly shell: Shell} | {readonly kind: 'list'; readonly list: ListName};
