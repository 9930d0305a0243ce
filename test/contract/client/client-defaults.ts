/** How tests open a client, unless they say otherwise. */
export const clientDefaults = {
  additionalDirectories: [],
  offer: {fs: true, terminal: true},
  approval: 'none',
  hasUser: true,
  settings: {options: []},
  startSeconds: 20,
  version: '0.0.0',
} as const;
