/** Options that are reserved: known by name, so that they never end up inside a prompt, and said to be missing. */
export const LATER_OPTIONS: readonly {readonly flags: string; readonly name: string}[] = [
  {flags: '--fullscreen', name: 'fullscreen'},
  {flags: '--screen-reader', name: 'screenReader'},
];

/** Says that a reserved option is missing. */
export function laterOption(given: Readonly<Record<string, unknown>>): string | undefined {
  const option = LATER_OPTIONS.find(({name}) => given[name] !== undefined);
  if (!option) return undefined;
  const long = /--[a-z-]+/.exec(option.flags)?.[0] ?? option.flags;
  return `This version does not have ${long} yet; leave it out.`;
}
