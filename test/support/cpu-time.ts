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
 * Milliseconds of CPU time that `work`, which can be repeated, takes at least. What else runs on the machine empties its caches and so makes single runs slower, and
 * code that was not compiled yet is several times slower: it is measured until so many tries in a row were not notably faster.
 */
export function leastCpuTimeOf(work: () => void): number {
  const perRun = () => {
    let [runs, spent] = [0, 0];
    for (; spent < ENOUGH; runs++) spent += cpuTimeOf(work);
    return spent / runs;
  };
  let least = Infinity;
  for (let slower = 0; slower < TRIES;) {
    const now = perRun();
    slower = now < 0.9 * least ? 0 : slower + 1;
    least = Math.min(least, now);
  }
  return least;
}
