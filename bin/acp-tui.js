#!/usr/bin/env node
// Plain JavaScript that any Node from 12 on can parse: checks the version before anything newer is loaded.
// No static imports: importing a module of Node reads all its exports, which takes 4 ms for node:fs.

const NEEDED = [22, 16];
const at = (relative) => new URL(relative, import.meta.url);

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

async function runWithCheckoutsNode() {
  const {spawn} = await import('node:child_process');
  const {existsSync} = await import('node:fs');
  const {isatty} = await import('node:tty');
  const {fileURLToPath} = await import('node:url');
  const node = fileURLToPath(at('../node_modules/node/bin/node'));
  if (process.env.ACP_TUI_REEXECUTED || !existsSync(node)) {
    process.stderr.write(
      `acp-tui needs Node.js ${NEEDED.join('.')} or newer, and this is ${process.versions.node}: install a newer one from https://nodejs.org.\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: {...process.env, ACP_TUI_REEXECUTED: '1'},
  });
  // The keys of a terminal send their signals to the child, too: a second Ctrl+C would end it at once. All others are sent to this process, which passes them on.
  const ofKeys = [0, 1, 2].some((fd) => isatty(fd)) ? ['SIGINT', 'SIGQUIT'] : [];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM'])
    process.on(signal, () => ofKeys.includes(signal) || child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`acp-tui could not start ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

async function run() {
  process.getBuiltinModule('node:module').enableCompileCache();
  const main = at('../dist/main.js').href;
  try {
    await import(main);
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || error.url !== main) throw error;
    process.stderr.write('acp-tui is not built yet: run "npm run build" in its folder first.\n');
    process.exit(1);
  }
}

// By default Node opens its inspector, through which any process of the user could run code. Other listeners take precedence.
process.on('SIGUSR1', () => {
  if (process.listenerCount('SIGUSR1') === 1)
    process.exit(128 + process.getBuiltinModule('node:os').constants.signals.SIGUSR1);
});

if (isNewEnough(process.versions.node)) await run();
else await runWithCheckoutsNode();
