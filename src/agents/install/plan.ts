import {join} from 'node:path';
import type {Result} from '../../failure.ts';
import type {ArchivedAgent, PackagedAgent, RegistryEntry} from '../registry/schema.ts';
import {installFailed} from './failures.ts';
import {pinPackage, type PinnedPackage} from './package-spec.ts';
import type {Machine} from './platform.ts';

/** What installing an agent comes to: shown before anything is fetched, and then done just so. */
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
  /** Where it is going to be. */
  readonly folder: string;
}

export interface Planning {
  readonly machine: Machine;
  /** Where agents are installed. */
  readonly agents: string;
  /** Whether a program can be run. */
  readonly hasProgram: (name: string) => boolean;
  /** Another version than the registry's. */
  readonly version?: string | undefined;
}

/** It becomes the name of a folder. */
const VERSION = /^\d+\.\d+\.\d+[0-9A-Za-z.+-]*$/;

/**
 * Decides how an agent is installed: as a program built for this computer, else as a package of npm, else of Python. Failures are of the
 * kind `install`.
 */
export function planInstall(entry: RegistryEntry, planning: Planning): Result<InstallPlan> {
  const {id, name, license} = entry;
  const {machine, agents, hasProgram, version = entry.version} = planning;
  if (!VERSION.test(version)) return installFailed(id, 'bad_version', version);
  const facts = {id, name, version, license, folder: join(agents, id, version)};
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
