/**
 * Milliseconds of CPU time that this thread spends in `work`; unlike wall time, it does not depend on the load.
 */
export function cpuTimeOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const {user, system} = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
