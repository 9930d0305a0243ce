import type {Progress} from '../../download/receive.ts';
import type {Result} from '../../failure.ts';
import type {InstallPlan} from './plan.ts';
import type {Manifest} from './manifest.ts';

/** What is going on while an agent is installed. */
export type InstallStep =
  | ({readonly kind: 'download'} & Progress)
  /** So many bytes are unpacked. */
  | {readonly kind: 'unpack'; readonly bytes: number}
  | {readonly kind: 'run'; readonly program: string};

export interface Making {
  /** Empty; becomes the folder of the version. */
  readonly folder: string;
  /** For what is not kept; on the same file system. */
  readonly scratch: string;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: InstallStep) => void) | undefined;
}

/** What the manifest says of how an agent came, and how it is started. */
export type Made = Pick<Manifest, 'from' | 'start' | 'sha256'>;

/** Fetches an agent of one kind of distribution into a folder. */
export type MakeAgent<Kind extends InstallPlan['kind']> = (
  plan: Extract<InstallPlan, {kind: Kind}>,
  making: Making,
) => Promise<Result<Made>>;
