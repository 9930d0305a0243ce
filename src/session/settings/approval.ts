/** Operations that are allowed without asking; docs/permissions.md has the exact table. */
export type ApprovalLevel = (typeof APPROVAL_LEVELS)[number];
/** From strictest to most permissive; each level includes those before it. */
export const APPROVAL_LEVELS = ['none', 'reads', 'edits', 'all'] as const;
