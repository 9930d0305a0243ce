import {readAddress, shownAddress} from '../../download/address.ts';
import type {Failure} from '../../failure.ts';
import {readRegistry, type ReadRegistry} from './read-registry.ts';
import {keep, readKept} from './registry-cache.ts';

/** Where the registry of the protocol is published: "Using the Registry". */
export const REGISTRY_URL = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

/** A registry as it was when it was last asked. */
export interface KnownRegistry extends ReadRegistry {
  /** In ms since the epoch. */
  readonly checkedAt: number;
}

/** What asking the registry came to. */
export interface Asked {
  /** What it says, or said before; undefined when it never answered. */
  readonly registry: KnownRegistry | undefined;
  /** Why it did not answer now, or what it said could not be kept. */
  readonly failure?: Failure;
}

export interface Registry {
  /** Its address without credentials and query, for the user. */
  readonly shownUrl: string;
  /** What it said last; asks nobody. */
  known(): KnownRegistry | undefined;
  /** Asks it now; only where the user wants that. Never throws. */
  ask(signal?: AbortSignal): Promise<Asked>;
}

export interface RegistryOptions {
  readonly url: string;
  /** Where its answers are kept. */
  readonly cache: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How long it may be silent, and take in all. */
  readonly idleMs?: number;
  readonly wholeMs?: number;
}

/** Many times of what the published one takes. */
const LIMIT_BYTES = 8 * 1024 * 1024;
const IDLE_MS = 10_000;
const WHOLE_MS = 60_000;

/** The registry at an address, and what is kept of it. */
export function openRegistry(options: RegistryOptions): Registry {
  const {url, cache, now, idleMs = IDLE_MS, wholeMs = WHOLE_MS} = options;
  const address = readAddress(url);
  const shownUrl = address.ok ? shownAddress(address.value) : url.replace(/[?#].*$/s, '');

  function known(): KnownRegistry | undefined {
    const kept = readKept(cache, url);
    const read = kept && readRegistry(kept.text);
    return read && {...read, checkedAt: kept.checkedAt};
  }

  async function ask(signal?: AbortSignal): Promise<Asked> {
    const {downloadText} = await import('../../download/download.ts');
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

  /** Something else than a registry never takes the place of one. */
  function remember(answer: Parameters<typeof keep>[1]): Asked {
    const read = readRegistry(answer.text);
    if (!read) {
      const failure: Failure = {
        kind: 'download',
        url: shownUrl,
        reason: 'unexpected',
        detail: 'a registry of agents',
      };
      return {registry: known(), failure};
    }
    const kept = keep(cache, answer);
    return {registry: {...read, checkedAt: answer.checkedAt}, ...(!kept.ok && {failure: kept.failure})};
  }

  return {shownUrl, known, ask};
}
