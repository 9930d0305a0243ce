import type {Failure, InstallReason} from '../../failure.ts';

interface Words {
  readonly why: (detail: string) => string;
  readonly todo?: string | ((detail: string) => string);
}

const TELL = 'Tell those who publish it.';
const RUNNERS: Readonly<Record<string, string>> = {
  npm: 'Install Node.js from https://nodejs.org, which npm comes with.',
  uvx: 'Install uv from https://docs.astral.sh/uv, which uvx comes with.',
};

const words: Readonly<Record<InstallReason, Words>> = {
  bad_version: {why: (version) => `The registry calls its version "${version}", which is none.`, todo: TELL},
  other_version: {
    why: (version) => `The registry has its version ${version} only.`,
    todo: 'Leave out --version to install that.',
  },
  no_build: {why: (platform) => `The registry has nothing of it that runs here (${platform}).`},
  no_runner: {
    why: (runner) => `It needs ${runner}, which no folder of PATH has.`,
    todo: (runner) => RUNNERS[runner] ?? '',
  },
  bad_package: {
    why: (text) => `The registry names its package "${text}", which is no name of one.`,
    todo: TELL,
  },
  checksum: {
    why: (sums) => `What came is not what the registry announced (SHA-256 ${sums}).`,
    todo: 'Nothing of it was kept. Try again; if that does not help, tell those who publish it.',
  },
  no_program: {
    why: (program) => `It does not hold the program "${program}" that the registry names.`,
    todo: TELL,
  },
  called_off: {why: () => 'It was called off.', todo: 'Nothing of it was kept.'},
  runner_failed: {why: (said) => said, todo: 'Nothing of it was kept.'},
};

/** Why an agent could not be installed, and what can be done. The detail has others' words: it is made safe by the caller. */
export function installWords({reason, detail}: Extract<Failure, {kind: 'install'}>): {
  readonly why: string;
  readonly todo: string | undefined;
} {
  const {why, todo} = words[reason];
  return {why: why(detail), todo: typeof todo === 'function' ? todo(detail) : todo};
}
