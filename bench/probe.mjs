// Loaded with `--import` into the measured process only: writes its usage to the file in BENCH_PROBE when it exits.
import {writeFileSync} from 'node:fs';
import {monitorEventLoopDelay} from 'node:perf_hooks';

const file = process.env.BENCH_PROBE;
/** In milliseconds: each wakes the process, which at 1 takes about 2 % of the CPU. */
const resolution = Number(process.env.BENCH_RESOLUTION ?? 1);
// Children, such as the agent, are not measured.
delete process.env.BENCH_PROBE;
delete process.env.BENCH_RESOLUTION;
delete process.env.NODE_OPTIONS;

if (file) {
  const delay = monitorEventLoopDelay({resolution});
  let cpu = process.cpuUsage();
  // Counted from SIGURG on: startup is measured separately.
  process.on('SIGURG', () => {
    delay.enable();
    cpu = process.cpuUsage();
  });
  process.on('exit', () => {
    const used = process.cpuUsage(cpu);
    writeFileSync(
      file,
      JSON.stringify({
        cpuSeconds: (used.user + used.system) / 1e6,
        longestStallMs: delay.max / 1e6,
        peakMemoryMb: process.resourceUsage().maxRSS / 1024,
      }),
    );
  });
}
