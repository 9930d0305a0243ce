import type {Platform} from '../registry/schema.ts';

const SYSTEMS: Readonly<Record<string, string>> = {darwin: 'darwin', linux: 'linux', win32: 'windows'};
const PROCESSORS: Readonly<Record<string, string>> = {arm64: 'aarch64', x64: 'x86_64'};

/** What this computer is, as far as programs are built for it. */
export interface Machine {
  /** As the registry calls it; undefined where it knows nothing of the kind. */
  readonly platform: Platform | undefined;
  /** Linux without glibc, such as Alpine: what is built for glibc does not start there. */
  readonly isMusl: boolean;
}

export function thisMachine(): Machine {
  const [system, processor] = [SYSTEMS[process.platform], PROCESSORS[process.arch]];
  const platform = system && processor ? (`${system}-${processor}` as Platform) : undefined;
  return {platform, isMusl: system === 'linux' && !hasGlibc()};
}

function hasGlibc(): boolean {
  // Otherwise the report looks up the names of all that we are connected with.
  Object.assign(process.report, {excludeNetwork: true});
  const {header} = process.report.getReport() as {readonly header?: {readonly glibcVersionRuntime?: string}};
  return header?.glibcVersionRuntime !== undefined;
}
