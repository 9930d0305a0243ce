const MASK = '[masked]';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of fields, variables and headers whose values are masked. */
const SECRET_NAME = String.raw`(?<![\w.-])[\w.-]*(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|credential|authorization|private[_-]?key)s?`;

const WHOLE_SECRET_NAME = new RegExp(`^${SECRET_NAME}$`, 'i');

/** True for the name of a field or variable whose value is masked. */
export function isSecretName(name: string): boolean {
  return WHOLE_SECRET_NAME.test(name);
}

/** Repetitions that could start at many positions are bounded, so that every pattern runs in linear time. */
const PATTERNS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Authorization: Bearer …
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${MASK}`],
  // "apiKey": "…", also inside a string of JSON
  [new RegExp(String.raw`((?:\\?["'])${SECRET_NAME}(?:\\?["'])\s*:\s*\\?["'])[^"'\\]+`, 'gi'), `$1${MASK}`],
  // API_KEY=…, --token=…, password: …
  [new RegExp(String.raw`(${SECRET_NAME}\s*[=:]\s*)[^\s"'&,;]+`, 'gi'), `$1${MASK}`],
  // https://user:password@host
  [/(\b[a-z][\w+.-]{0,30}:\/\/[^\s/:@]+:)[^\s/@]+@/gi, `$1${MASK}@`],
  // The forms of well-known services
  [/\b(?:sk|pk|rk)-[\w-]{16,}/g, MASK],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|npm_|hf_)[\w-]{16,}/g, MASK],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, MASK],
  [/\bAIza[\w-]{30,}/g, MASK],
  [/\beyJ[\w-]{8,300}\.[\w-]{8,}\.[\w-]+/g, MASK],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
];

/** Secret values of any format; more may be added at any time. */
export interface Secrets {
  /** Adds a value. Short values and paths are ignored, since they would be masked by coincidence. */
  readonly add: (value: string) => void;
  readonly values: () => Iterable<string>;
}

export function createSecrets(): Secrets {
  const values = new Set<string>();
  return {
    add(value) {
      if (value.length >= MIN_LENGTH && !value.startsWith('/')) values.add(value);
    },
    values: () => values,
  };
}

const MIN_LENGTH = 8;

/**
 * Returns a function that masks apparent credentials: by format, by the name before them, and values of variables in `env` with secret names. Best effort, for
 * logs.
 */
export function createMask(env: Environment, secrets?: Secrets): (text: string) => string {
  const values = Object.entries(env)
    .filter(([name]) => isSecretName(name))
    .map(([, value]) => value ?? '')
    .filter((value) => value.length >= MIN_LENGTH);
  return (text) => {
    let masked = text;
    for (const value of values) masked = masked.replaceAll(value, MASK);
    for (const value of secrets?.values() ?? []) masked = masked.replaceAll(value, MASK);
    for (const [pattern, replacement] of PATTERNS) masked = masked.replace(pattern, replacement);
    return masked;
  };
}

/**
 * Returns a function that masks a JSON value: each string, and whole values under secret names, also in pairs of `name` and `value`. Returns the same value if nothing
 * was masked.
 */
export function createMaskDeep(env: Environment, secrets?: Secrets): <T>(value: T) => T {
  const mask = createMask(env, secrets);

  function masked(value: unknown, name: string): unknown {
    if (typeof value === 'string') return isSecretName(name) && value !== '' ? MASK : mask(value);
    if (Array.isArray(value))
      return same(
        value,
        value.map((item) => masked(item, name)),
      );
    if (typeof value !== 'object' || value === null) return value;
    const named = 'name' in value && typeof value.name === 'string' ? value.name : '';
    const entries = Object.entries(value).map(
      ([key, item]) =>
        [
          key,
          key === 'mcpServers' ? maskedServers(item) : masked(item, key === 'value' ? named : key),
        ] as const,
    );
    return same(value, Object.fromEntries(entries));
  }

  /** Values passed to a server count as secret, whatever their names. */
  function maskedServers(servers: unknown): unknown {
    if (!Array.isArray(servers)) return masked(servers, '');
    return same(
      servers,
      servers.map((server: unknown) => {
        if (typeof server !== 'object' || server === null) return masked(server, '');
        const entries = Object.entries(server).map(([key, item]: [string, unknown]) => {
          const isGiven = (key === 'env' || key === 'headers') && Array.isArray(item);
          return [key, isGiven ? same(item, item.map(withoutValue)) : masked(item, key)] as const;
        });
        return same(server, Object.fromEntries(entries));
      }),
    );
  }

  return <T>(value: T) => masked(value, '') as T;
}

function withoutValue(pair: unknown): unknown {
  return typeof pair === 'object' && pair !== null && 'value' in pair ? {...pair, value: MASK} : pair;
}

/** Returns the first object if the second is equal. */
function same(before: object, after: object): object {
  const old = Object.values(before);
  return Object.values(after).every((item, index) => item === old[index]) ? before : after;
}
