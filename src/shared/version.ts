import manifest from '../../package.json' with {type: 'json'};

/** The version in package.json. */
export const version: string = manifest.version;

/** True if a version has precedence over another ("Semantic Versioning"). */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [partsOf(version), partsOf(than)];
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  if (one.before === other.before) return false;
  // A prerelease has lower precedence than its release.
  if (one.before === '' || other.before === '') return one.before === '';
  return one.before.localeCompare(other.before, 'en', {numeric: true}) > 0;
}

function partsOf(version: string): {readonly numbers: readonly number[]; readonly before: string} {
  const [, numbers = '', before = ''] = /^v?(\d+(?:\.\d+)*)(?:-([^+]*))?/.exec(version) ?? [];
  return {numbers: numbers.split('.').map(Number), before};
}
