import {proposalFacts, proposalTitle, type Proposal} from '../../agents/install/proposal.ts';
import type {Look} from '../page.ts';

/** What a person agrees to, line by line. */
export function proposalLines(proposal: Proposal, look: Look): readonly string[] {
  const facts = proposalFacts(proposal).map(([name, value]) => `  ${look.dim(name.padEnd(10))}${value}`);
  return [look.bold(proposalTitle(proposal)), ...facts];
}
