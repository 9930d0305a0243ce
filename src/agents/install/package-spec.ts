/** A package in exactly one version. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
}

const NPM = /^(?<name>(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@(?<version>[^@\s]*))?$/i;
const PYTHON =
  /^(?<name>[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?:\[[a-z0-9._,-]+\])?)(?:(?:@|==)(?<version>[^@=\s]*))?$/i;
const EXACT = {npm: /^\d+\.\d+\.\d+[0-9a-z.+-]*$/i, python: /^\d[0-9a-z.!+-]*$/i} as const;

/**
 * Reads what the registry calls a package: a name, with a version or without. What stands for whatever is the newest, or a range, becomes
 * `version`, so that what was agreed to is what is run. Undefined for an address, a folder or anything else that is not in the index.
 */
export function pinPackage(
  text: string,
  index: keyof typeof EXACT,
  version: string,
): PinnedPackage | undefined {
  const {name, version: given} = (index === 'npm' ? NPM : PYTHON).exec(text)?.groups ?? {};
  if (name === undefined) return undefined;
  return {name, version: given !== undefined && EXACT[index].test(given) ? given : version};
}
