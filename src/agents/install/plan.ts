import {join} from 'node:path';
import type {DownloadProgress} from '../../download/body.ts';
import type {Result, Failure, InstallReason} from '../../shared/failure.ts';
import {displayUrl, parseUrl} from '../../download/url.ts';
import type {ArchivedAgent, PackagedAgent, RegistryEntry, Platform} from '../registry.ts';
import {quoteAgentText} from '../../shared/agent-text.ts';
import {bytes} from '../../text/format.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {quoteWords} from '../../text/shell-quote.ts';

/** The plan of an installation: shown before anything is downloaded, then executed unchanged. */
export type InstallPlan = PlanFacts &
  (
    | ({readonly kind: 'binary'} & ArchivedAgent)
    | ({readonly kind: 'npx'} & PackagePlan)
    | ({readonly kind: 'uvx'} & PackagePlan)
  );

type PackagePlan = {readonly pinned: PinnedPackage} & Omit<PackagedAgent, 'package'>;

interface PlanFacts {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  /** Where the license can be read. */
  readonly licenseUrl?: string;
  /** Target folder. */
  readonly folder: string;
}

export interface PlanOptions {
  readonly machine: Machine;
  /** Where agents are installed. */
  readonly agents: string;
  /** True if a program can be run. */
  readonly hasProgram: (name: string) => boolean;
  /** A version other than the registry's. */
  readonly version?: string | undefined;
  /** True for the version that is not released yet. */
  readonly preview?: boolean;
}

/** Also used as a folder name. */
const VERSION = /^\d+\.\d+\.\d+[0-9A-Za-z.+-]*$/;

/**
 * Plans the installation of an agent: a binary for this computer if there is one, else an npm package, else a Python package. Failures are of the kind
 * `install`.
 */
export function planInstall(listed: RegistryEntry, planning: PlanOptions): Result<InstallPlan> {
  const {id, name, license, license_url: licenseUrl} = listed;
  if (planning.preview && !listed.preview) return installFailed(id, 'no_preview', listed.version);
  const entry = planning.preview ? {...listed, ...listed.preview} : listed;
  const {machine, agents, hasProgram, version = entry.version} = planning;
  if (!VERSION.test(version)) return installFailed(id, 'bad_version', version);
  const facts = {
    id,
    name,
    version,
    license,
    ...(licenseUrl !== undefined && {licenseUrl}),
    folder: join(agents, id, version),
  };
  const {binary, npx, uvx} = entry.distribution;

  const archived = machine.platform && binary?.[machine.platform];
  if (archived && version === entry.version && !(machine.isMusl && /gnu|glibc/i.test(archived.archive))) {
    return {ok: true, value: {...facts, kind: 'binary', ...archived}};
  }
  const packages = [
    {kind: 'npx', given: npx, index: 'npm', runner: 'npm'},
    {kind: 'uvx', given: uvx, index: 'python', runner: 'uvx'},
  ] as const;
  const possible = packages.filter(({given}) => given !== undefined);
  const chosen = possible.find(({runner}) => hasProgram(runner));
  if (!chosen?.given) {
    if (possible[0]) return installFailed(id, 'no_runner', possible[0].runner);
    return archived && version !== entry.version
      ? installFailed(id, 'other_version', entry.version)
      : installFailed(id, 'no_build', machine.platform ?? `${process.platform} on ${process.arch}`);
  }
  const {package: text, ...start} = chosen.given;
  const pinned = pinPackage(text, chosen.index, version);
  if (!pinned) return installFailed(id, 'bad_package', text);
  const asked = planning.version === undefined ? pinned : {...pinned, version};
  return {ok: true, value: {...facts, kind: chosen.kind, pinned: asked, ...start}};
}

/** A package with an exact version. */
interface PinnedPackage {
  readonly name: string;
  readonly version: string;
}

const NPM = /^(?<name>(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@(?<version>[^@\s]*))?$/i;
const PYTHON =
  /^(?<name>[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?:\[[a-z0-9._,-]+\])?)(?:(?:@|==)(?<version>[^@=\s]*))?$/i;
const EXACT = {npm: /^\d+\.\d+\.\d+[0-9a-z.+-]*$/i, python: /^\d[0-9a-z.!+-]*$/i} as const;

/**
 * Parses a package spec of the registry: a name, optionally with a version. A range or a tag such as `latest` is replaced by `version`, so that what runs is
 * what the user agreed to. Undefined for a URL, a folder or anything else outside the package index.
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

const SYSTEMS: Readonly<Record<string, string>> = {darwin: 'darwin', linux: 'linux', win32: 'windows'};
const PROCESSORS: Readonly<Record<string, string>> = {arm64: 'aarch64', x64: 'x86_64'};

/** The platform of this computer, as binaries are built for it. */
interface Machine {
  /** The registry's name for it; undefined if it has none. */
  readonly platform: Platform | undefined;
  /** Linux without glibc, such as Alpine, where binaries for glibc do not start. */
  readonly isMusl: boolean;
}

export function localMachine(): Machine {
  const [system, processor] = [SYSTEMS[process.platform], PROCESSORS[process.arch]];
  const platform = system && processor ? (`${system}-${processor}` as Platform) : undefined;
  return {platform, isMusl: system === 'linux' && !hasGlibc()};
}

function hasGlibc(): boolean {
  // Otherwise the report resolves the host names of all open connections.
  Object.assign(process.report, {excludeNetwork: true});
  const {header} = process.report.getReport() as {readonly header?: {readonly glibcVersionRuntime?: string}};
  return header?.glibcVersionRuntime !== undefined;
}

/** A step of an installation. */
export type InstallStep =
  | ({readonly kind: 'download'} & DownloadProgress)
  /** Number of bytes unpacked so far. */
  | {readonly kind: 'unpack'; readonly bytes: number}
  | {readonly kind: 'run'; readonly program: string};

/** The failure of an installation. */
export function installFailed(
  agent: string,
  reason: InstallReason,
  detail: string,
): {readonly ok: false; readonly failure: Extract<Failure, {kind: 'install'}>} {
  return {ok: false, failure: {kind: 'install', agent, reason, detail}};
}

interface Proposal {
  readonly plan: InstallPlan;
  /** Size of the archive in bytes, if its server reports it. */
  readonly size: number | undefined;
  /** The installed version that it replaces. */
  readonly instead: string | undefined;
}

/** Returns the agent and its version in one line. */
export function proposalTitle({plan: {id, name, version}, instead}: Proposal): string {
  return `${quoteAgentText(name)} ${quoteAgentText(version)} (${id})${instead === undefined ? '' : `, replacing ${instead}`}`;
}

/** Returns the whole proposal, line by line. */
export function proposalLines(proposal: Proposal): readonly string[] {
  return [
    proposalTitle(proposal),
    ...proposalFacts(proposal).map(([name, value]) => `  ${name.padEnd(10)}${value}`),
  ];
}

type Fact = readonly [name: string, value: string];

/** Returns the facts to agree to: downloads, checksums, target folder and programs that run. */
export function proposalFacts({plan, size}: Proposal): readonly Fact[] {
  const {license, licenseUrl, folder, args, env} = plan;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const facts: readonly Fact[] = [
    ['license', [license ?? 'not specified in the registry', licenseUrl].filter(Boolean).join(', ')],
    ...sourceFacts(plan, size),
    ['into', folder],
    ['starts', quoteWords([...variables, ...programOf(plan), ...args])],
  ];
  // Never truncated: the user can't agree to what is cut off.
  return facts.map(([name, value]) => [name, escapeHiddenLine(value)]);
}

function sourceFacts(plan: InstallPlan, size: number | undefined): readonly Fact[] {
  switch (plan.kind) {
    case 'binary': {
      const address = parseUrl(plan.archive);
      // A query may hold credentials, and the output may be kept: only that there is one is said.
      const shown = address.ok
        ? `${displayUrl(address.value)}${address.value.search === '' ? '' : '?…'}`
        : plan.archive;
      return [
        ['from', `${shown} (${size === undefined ? 'size unknown' : bytes(size)})`],
        [
          'checked',
          plan.sha256 === undefined
            ? 'none: the registry has no checksum'
            : `against the checksum in the registry (SHA-256 ${plan.sha256})`,
        ],
      ];
    }
    case 'npx':
      return [
        ['from', `npm: ${plan.pinned.name}@${plan.pinned.version} and its dependencies`],
        ['runs', 'npm install, which runs the install scripts of these packages'],
      ];
    case 'uvx':
      return [
        ['from', `PyPI: ${plan.pinned.name}==${plan.pinned.version} and its dependencies`],
        ['when', 'uvx downloads it when the agent starts for the first time'],
      ];
  }
}

function programOf(plan: InstallPlan): readonly string[] {
  switch (plan.kind) {
    case 'binary':
      return [plan.cmd];
    case 'npx':
      return [plan.cmd ?? plan.pinned.name];
    case 'uvx':
      return ['uvx', plan.cmd ?? plan.pinned.name];
  }
}

/** Returns a one-line label of an installation step. */
export function stepLabel(step: InstallStep): string {
  switch (step.kind) {
    case 'download': {
      const {received, total} = step;
      const share = total ? ` of ${bytes(total)} (${Math.floor((100 * received) / total)}%)` : '';
      return `downloading ${bytes(received)}${share}`;
    }
    case 'unpack':
      return `unpacking, ${bytes(step.bytes)}`;
    case 'run':
      return `${step.program} is installing it`;
  }
}
