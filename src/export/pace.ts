/** Asked between pieces of work: whether to wait, so that what else there is to do can be done. */
export type Pace = () => Promise<void> | undefined;

/** For those who do nothing else meanwhile. */
export const withoutPauses: Pace = () => undefined;
