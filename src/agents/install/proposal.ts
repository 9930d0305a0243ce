import {parseUrl, displayUrl} from '../../download/url.ts';
import {quoted} from '../../shared/agent-text.ts';
import {bytes} from '../../text/format.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {quoteWords} from '../../text/shell-quote.ts';
import type {InstallPlan} from './plan.ts';
import type {InstallStep} from './sources.ts';

interface Proposal {
  readonly plan: InstallPlan;
  /** Size of the archive in bytes, if its server reports it. */
  readonly size: number | undefined;
  /** The installed version that it replaces. */
  readonly instead: string | undefined;
}

/** Returns the agent and its version in one line. */
export function proposalTitle({plan: {id, name, version}, instead}: Proposal): string {
  return `${quoted(name)} ${quoted(version)} (${id})${instead === undefined ? '' : `, replacing ${instead}`}`;
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
  const {license, folder, args, env} = plan;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const facts: readonly Fact[] = [
    ['license', license ?? 'not specified in the registry'],
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
      const shown = address.ok ? displayUrl(address.value) : plan.archive;
      return [
        ['from', `${shown} (${size === undefined ? 'size unknown' : bytes(size)})`],
        [
          'checked',
          plan.sha256 === undefined
            ? 'none: the registry has no checksum'
            : `against the checksum in the registry (SHA-256 ${plan.sha256.slice(0, 12)}…)`,
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
