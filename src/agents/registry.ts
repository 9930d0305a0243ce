import * as z from 'zod/mini';
import {catch as orElse} from 'zod/mini';
import {parseUrl, displayUrl} from '../download/url.ts';
import {quoteAgentText} from '../shared/agent-text.ts';
import type {Failure} from '../shared/failure.ts';
import {stateFile} from '../shared/files/json-file.ts';
import {jsonOf} from '../text/json.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {escapeHiddenLine} from '../text/hidden.ts';

/** The URL of the protocol's registry ("Using the Registry"). */
export const REGISTRY_URL = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

/** A registry with the time of its last fetch. */
export interface KnownRegistry extends ReadRegistry {
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
}

/** The result of fetching the registry. */
export interface FetchedRegistry {
  /** The fetched registry, or the cached one; undefined if it was never fetched. */
  readonly registry: KnownRegistry | undefined;
  /** Why the registry could not be fetched, or its answer not be cached. */
  readonly failure?: Failure;
}

export interface Registry {
  /** Its URL without credentials and query, for the user. */
  readonly shownUrl: string;
  /** The cached result; does not use the network. */
  cached(): KnownRegistry | undefined;
  /** Downloads the registry; call only with the user's consent. Never throws. */
  fetch(signal?: AbortSignal): Promise<FetchedRegistry>;
}

export interface RegistryOptions {
  readonly url: string;
  /** Folder of the cache. */
  readonly cache: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Timeouts: without data, and in total, in milliseconds. */
  readonly idleMs?: number;
  readonly wholeMs?: number;
}

/** Many times the size of the published one. */
const LIMIT_BYTES = 8 * 1024 * 1024;
const IDLE_MS = 10_000;
const WHOLE_MS = 60_000;

/** Opens the registry at a URL, with its cache. */
export function openRegistry(options: RegistryOptions): Registry {
  const {url, cache, now, idleMs = IDLE_MS, wholeMs = WHOLE_MS} = options;
  const address = parseUrl(url);
  const shownUrl = address.ok ? displayUrl(address.value) : url.replace(/[?#].*$/s, '');

  function known(): KnownRegistry | undefined {
    const kept = readKept(cache, url);
    const read = kept && readRegistry(kept.text);
    return read && {...read, checkedAt: kept.checkedAt};
  }

  async function ask(signal?: AbortSignal): Promise<FetchedRegistry> {
    const {downloadText} = await import('../download/download.ts');
    const kept = readKept(cache, url);
    const tooLong = AbortSignal.timeout(wholeMs);
    const downloaded = await downloadText(url, {
      limitBytes: LIMIT_BYTES,
      idleMs,
      signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong,
      etag: kept?.etag,
    });
    if (!downloaded.ok) {
      const {failure} = downloaded;
      const isTooLong = failure.kind === 'download' && failure.reason === 'called_off' && tooLong.aborted;
      return {registry: known(), failure: isTooLong ? {...failure, reason: 'stalled'} : failure};
    }
    const checkedAt = now();
    const answer = downloaded.value;
    if (answer.kind === 'unchanged' && kept?.etag !== undefined) return remember({...kept, checkedAt});
    const text = answer.kind === 'text' ? answer.text : '';
    const {etag} = answer.kind === 'text' ? answer : {};
    return remember({url, checkedAt, text, ...(etag !== undefined && {etag})});
  }

  /** Never replaces a cached registry by something that is not one. */
  function remember(answer: Parameters<typeof kept.write>[1]): FetchedRegistry {
    const read = readRegistry(answer.text);
    if (!read) {
      const failure: Failure = {
        kind: 'download',
        url: shownUrl,
        reason: 'unexpected',
        detail: 'an agent registry',
      };
      return {registry: known(), failure};
    }
    const written = kept.write(cache, answer);
    return {registry: {...read, checkedAt: answer.checkedAt}, ...(!written.ok && {failure: written.failure})};
  }

  return {shownUrl, cached: known, fetch: ask};
}

const kept = stateFile(
  'registry.json',
  z.lazy(() =>
    z.object({
      /** The URL it was fetched from: a registry at another URL is a different one. */
      url: z.string(),
      etag: z.optional(z.string()),
      /** When the server last confirmed this content, in ms since the epoch. */
      checkedAt: z.number(),
      text: z.string(),
    }),
  ),
);

/** Returns the cached registry for this URL; undefined if it cannot be read. */
function readKept(folder: string, url: string) {
  const read = kept.read(folder);
  return read?.url === url ? read : undefined;
}

/** The usable entries of a registry, and those that are invalid. */
interface ReadRegistry {
  readonly entries: readonly RegistryEntry[];
  readonly left: readonly LeftEntry[];
}

/** An invalid entry. */
interface LeftEntry {
  /** Its name, or its location in the file. */
  readonly name: string;
  readonly problem: string;
}

const registry = z.lazy(() => z.object({agents: z.array(z.unknown())}));

/** Many times the number of the published one: validating millions of bad entries takes a minute and gigabytes. */
const MAX_ENTRIES = 5000;

/** Reads `registry.json` entry by entry: an invalid entry is reported and affects no other. Undefined if the text is not a registry. */
export function readRegistry(text: string): ReadRegistry | undefined {
  const read = registry.safeParse(jsonOf(text));
  if (!read.success) return undefined;
  const entries = new Map<string, RegistryEntry>();
  const left: LeftEntry[] = [];
  const {agents} = read.data;
  for (const [index, raw] of agents.slice(0, MAX_ENTRIES).entries()) {
    const entry = registryEntry.safeParse(raw);
    const name = nameOf(raw) ?? `entry ${index + 1}`;
    if (!entry.success) left.push({name, problem: problemOf(entry.error.issues[0])});
    else if (entries.has(entry.data.id)) left.push({name, problem: 'duplicate ID'});
    else entries.set(entry.data.id, entry.data);
  }
  if (agents.length > MAX_ENTRIES)
    left.push({name: `all after entry ${MAX_ENTRIES}`, problem: `there are ${agents.length}`});
  return {entries: [...entries.values()], left};
}

function nameOf(raw: unknown): string | undefined {
  const id = typeof raw === 'object' && raw !== null && 'id' in raw ? raw.id : undefined;
  return typeof id === 'string' && id !== '' ? sanitizeLine(id).slice(0, 64) : undefined;
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path.map(String).join('.') ?? '';
  return quoteAgentText(`${path === '' ? '' : `${path}: `}${issue?.message ?? 'wrong'}`);
}

/** Untrusted text for display: one line without control characters. */
const shown = (most: number) =>
  z.pipe(
    z.pipe(
      z.string().check(z.maxLength(most)),
      z.transform((text: string) => sanitizeLine(text).trim()),
    ),
    z.string().check(z.regex(/[\p{L}\p{N}]/u)),
  );

/** True for a URL that may be fetched, without credentials. */
function isAddress(text: string): boolean {
  const read = parseUrl(text);
  return read.ok && read.value.username === '' && read.value.password === '';
}

/** "Agent manifest format" of the registry, with sanitized texts; unknown fields are dropped. */
function createEntrySchema() {
  /** Text that is run or approved: without invisible or deceptive characters. */
  const plain = z.string().check(
    z.maxLength(2048),
    z.refine((text) => escapeHiddenLine(text) === text, {error: 'it contains control characters'}),
  );
  const notEmpty = plain.check(z.minLength(1));
  const address = notEmpty.check(z.refine(isAddress, {error: 'it is not an https URL'}));
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
  const version = notEmpty.check(z.maxLength(64), z.regex(/^\d+\.\d+\.\d+/));
  return z.object({
    id: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/)),
    name: shown(100),
    version,
    description: shown(2000),
    distribution,
    repository: link,
    website: link,
    authors: orElse(z.array(shown(200)).check(z.maxLength(50)), []),
    license: orElse(z.optional(shown(100)), undefined),
    license_url: link,
    /** A version that is not released yet. */
    preview: orElse(z.optional(z.object({version, distribution})), undefined),
  });
}

/** Created when a registry is first read: that takes longer than the rest of this file. */
export const registryEntry = z.lazy(createEntrySchema);
export type RegistryEntry = z.infer<typeof registryEntry>;
type Distribution = RegistryEntry['distribution'];
export type Platform = keyof NonNullable<Distribution['binary']>;
export type PackagedAgent = NonNullable<Distribution['npx']>;
export type ArchivedAgent = NonNullable<NonNullable<Distribution['binary']>[Platform]>;
