import * as z from 'zod/mini';
import {catch as orElse} from 'zod/mini';
import {parseUrl} from '../download/url.ts';
import {escapeHiddenLine} from '../text/hidden.ts';
import {sanitizeLine} from '../text/sanitize.ts';

/** Untrusted text for display: one line without control characters. */
const shown = (most: number) =>
  z.pipe(
    z.pipe(
      z.string().check(z.maxLength(most)),
      z.transform((text: string) => sanitizeLine(text).trim()),
    ),
    z.string().check(z.regex(/[\p{L}\p{N}]/u)),
  );
/** Text that is run or approved: without invisible or deceptive characters. */
const plain = z.string().check(
  z.maxLength(2048),
  z.refine((text) => escapeHiddenLine(text) === text, {error: 'it contains control characters'}),
);
const notEmpty = plain.check(z.minLength(1));
const address = notEmpty.check(z.refine(isAddress, {error: 'it is not an https URL'}));
/** True for a URL that may be fetched, without credentials. */
function isAddress(text: string): boolean {
  const read = parseUrl(text);
  return read.ok && read.value.username === '' && read.value.password === '';
}

const start = {
  args: z.prefault(z.array(plain).check(z.maxLength(64)), []),
  env: z.prefault(z.record(z.string().check(z.regex(/^[A-Za-z_]\w*$/)), plain), {}),
};

const packaged = z.object({
  /** A name, optionally with a version; never an option of `npx` or `uvx`. */
  package: notEmpty.check(z.regex(/^[^-\s]\S*$/)),
  /** The program in the package, if it is not named like the package. */
  cmd: z.optional(notEmpty.check(z.regex(/^[^-\s]\S*$/))),
  ...start,
});
const archived = z.object({
  archive: address,
  /** Of the archive, in hexadecimal. */
  sha256: z.optional(z.string().check(z.regex(/^[0-9a-fA-F]{64}$/))),
  /** Relative to the unpacked archive. */
  cmd: notEmpty,
  ...start,
});
const archive = z.optional(archived);

const distribution = z
  .object({
    binary: z.optional(
      z.object({
        'darwin-aarch64': archive,
        'darwin-x86_64': archive,
        'linux-aarch64': archive,
        'linux-x86_64': archive,
        'windows-aarch64': archive,
        'windows-x86_64': archive,
      }),
    ),
    npx: z.optional(packaged),
    uvx: z.optional(packaged),
  })
  .check(
    z.refine(({binary, npx, uvx}) => binary !== undefined || npx !== undefined || uvx !== undefined, {
      error: 'it offers no supported way to install it',
    }),
  );

/** Fields that are only displayed never invalidate an entry. */
const link = orElse(z.optional(address), undefined);

/** "Agent manifest format" of the registry, with sanitized texts; unknown fields are dropped. */
export const registryEntry = z.object({
  id: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/)),
  name: shown(100),
  version: notEmpty.check(z.maxLength(64), z.regex(/^\d+\.\d+\.\d+/)),
  description: shown(2000),
  distribution,
  repository: link,
  website: link,
  authors: orElse(z.array(shown(200)).check(z.maxLength(50)), []),
  license: orElse(z.optional(shown(100)), undefined),
});
export type RegistryEntry = z.infer<typeof registryEntry>;
type Distribution = RegistryEntry['distribution'];
export type Platform = keyof NonNullable<Distribution['binary']>;
export type PackagedAgent = z.infer<typeof packaged>;
export type ArchivedAgent = z.infer<typeof archived>;
