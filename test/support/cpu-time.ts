/**
 * Milliseconds of CPU time that this thread spends in `work`; unlike wall time, it does not depend on the load.
 */
export function cpuTimeOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const {user, system} = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** So many milliseconds are measured at once: the clock of CPU time may advance in steps of 4 ms. */
const ENOUGH = 40;
const TRIES = 3;

/**
 * Milliseconds of CPU time that `work`, which can be repeated, takes at least. What else runs on the machine empties its caches and so makes single runs slower.
 */
export function leastCpuTimeOf(work: () => void): number {
  const perRun = () => {
    let [runs, spent] = [0, 0];
    for (; spent < ENOUGH; runs++) spent += cpuTimeOf(work);
    return spent / runs;
  };
  return Math.min(...Array.from({length: TRIES}, perRun));
}
