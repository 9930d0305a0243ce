import {catalogueOf, type CatalogueEntry} from '../../agents/catalogue/catalogue.ts';
import type {Asked, KnownRegistry} from '../../agents/registry/registry.ts';
import type {Looking} from '../../cli/agents/commands.ts';
import {failureSentence} from '../../errors.ts';
import {ago} from '../../text/format.ts';
import type {AgentsContext} from './context.ts';

/** All agents, and what became of the registry. */
export interface LookedUp {
  readonly entries: readonly CatalogueEntry[];
  readonly registry: KnownRegistry | undefined;
  /** False when the registry was asked and nothing is known of what it says. */
  readonly isComplete: boolean;
}

/** What it said within this time is asked for again by nobody but `--refresh`. */
const FRESH_MS = 3_600_000;

/**
 * Looks up all agents. `asks`: the registry may be asked when what is known of it is old. What went wrong with it is told, and
 * what it said before is used.
 */
export async function lookUp(
  {refresh, offline}: Looking,
  context: AgentsContext,
  {asks}: {readonly asks: boolean},
): Promise<LookedUp> {
  const {registry, local, now, signal} = context;
  const known = registry.known();
  const isOld = known === undefined || now() - known.checkedAt > FRESH_MS;
  const isAsked = refresh || (asks && isOld && !offline);
  const asked: Asked = isAsked ? await registry.ask(signal) : {registry: known};
  if (isAsked) tell(asked, context);
  return {
    entries: catalogueOf({...local, registry: asked.registry?.entries ?? []}),
    registry: asked.registry,
    isComplete: !isAsked || asked.registry !== undefined,
  };
}

function tell({registry, failure}: Asked, {warn, now}: AgentsContext): void {
  if (failure) {
    const instead = registry
      ? ` What it said ${ago(now() - registry.checkedAt)} is used.`
      : ' Only agents of this computer are known.';
    warn(failureSentence(failure) + (failure.kind === 'download' ? instead : ''));
  }
  if (!registry || registry.left.length === 0) return;
  const {left} = registry;
  const named = left.slice(0, 5).map(({name, problem}) => `${name} (${problem})`);
  const more = left.length > named.length ? ` and ${left.length - named.length} more` : '';
  const what = left.length === 1 ? 'One entry' : `${left.length} entries`;
  warn(`${what} of the registry cannot be used: ${named.join(', ')}${more}.`);
}

/** How old what is known of the registry is, in a line. */
export function registryLine(
  {registry, isComplete}: LookedUp,
  {registry: {shownUrl}, now}: AgentsContext,
): string {
  if (registry) {
    const agents = `${registry.entries.length} agents`;
    return `Registry: ${agents}, as it was ${ago(now() - registry.checkedAt)}. --refresh asks ${shownUrl} again.`;
  }
  return isComplete ? `The registry was not asked. --refresh asks ${shownUrl}.` : '';
}
