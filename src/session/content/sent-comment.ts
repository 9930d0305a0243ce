import * as z from 'zod/mini';

/** The user's comment on lines of a change. Path and lines are exact readings. */
export const reviewComment = () =>
  z.object({
    path: z.string(),
    /** The side that the lines are on. */
    side: z.enum(['old', 'new']),
    /** The first and the last line, from 1. */
    line: z.number(),
    lastLine: z.number(),
    /** The lines, in the format of a hunk. */
    quote: z.readonly(z.array(z.string())),
    text: z.string(),
  });

/** A comment in a prompt. */
export const sentComment = z.lazy(() =>
  z.extend(reviewComment(), {
    id: z.string(),
    /** The part of the hunk around its lines. */
    hunk: z.readonly(z.array(z.string())),
    /** True if that part is different in the file since. */
    hasChanged: z.optional(z.boolean()),
  }),
);
export type SentComment = z.infer<typeof sentComment>;
