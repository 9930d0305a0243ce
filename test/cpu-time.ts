/**
 * Milliseconds of the processor that this thread spends in `work`. Unlike the time on the wall it is the same on a busy machine.
 */
export function cpuTimeOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const {user, system} = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
