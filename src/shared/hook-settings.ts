/** Settings of programs that git's hooks start, which name further ones; `*` stands for the format. */
export const HOOK_SETTINGS = [
  ...['lefthook', '.lefthook', '.config/lefthook'].flatMap((name) => [`${name}.*`, `${name}-local.*`]),
  '.pre-commit-config.yaml',
];
