/*
 * Programs that run another program, and programs that are known not to. What is in neither table is unknown: behind it, a
 * denied program is asked about (match-command.ts).
 */

const words = (...lines: readonly string[]) => new Set(lines.join(' ').split(' '));

/** They start what is behind them, or what they read. */
const LAUNCHERS = words(
  'builtin command coproc eval exec time',
  // another user, other rights
  'aa-exec capsh doas gosu pkexec run0 runcon runuser setpriv setuidgid sg su su-exec sudo sudoedit',
  // priority, limits, processors, time
  'chpst choom chrt cpulimit ionice nice numactl prlimit schedtool softlimit taskset timelimit timeout',
  // personality
  'setarch i386 i486 i586 i686 linux32 linux64 ppc ppc32 ppc64 ppc64le s390 s390x sparc sparc32 sparc64 uname26 x86_64',
  // another root, another name space, a sandbox
  'bwrap cgexec chroot fakechroot fakeroot firejail nsenter nsjail proot systemd-inhibit systemd-run toolbox unshare',
  // another environment, another session, another terminal
  'daemonize dbus-launch dbus-run-session env envdir expect nohup rlwrap script setsid ssh sshpass start-stop-daemon ' +
    'stdbuf tini torsocks tsocks unbuffer xvfb-run',
  // watching it
  'catchsegv entr gdb gdbserver hyperfine lldb ltrace perf rr strace valgrind watch watchexec',
  // many programs in one, and programs by list
  'busybox flock parallel rush toybox xargs',
);

/** The dynamic linker runs the program that it is given: `ld-linux-x86-64.so.2`, `ld-musl-x86_64.so.1`, `ld.so`. */
const LOADER = /^ld\d*(?:-[\w.-]+)?\.so(?:\.\d+)*$/;

/** They read, write and count what is behind them, and never start it. */
const HARMLESS = words(
  '[ awk b2sum base32 base64 basename bat cal cat cd chgrp chmod chown cksum clear cmp column comm cp csplit curl cut date',
  'dd df diff dig dir dirname du echo egrep exa expand expr eza factor false fgrep file fmt fold git grep gzip gunzip head',
  'hostname id install join jq kill less ln ls lsof md5sum mkdir mkfifo mktemp more mv nl numfmt od paste patch pgrep pr',
  'printenv printf ps pwd readlink realpath rev rg rm rmdir sed seq sha1sum sha256sum sha512sum shred shuf sleep sort split',
  'stat strings sum sync tac tail tar tee test touch tr tree true truncate tsort type tty uname unexpand uniq unlink unzip',
  'users wc wget which who whoami xxd yes yq zcat zip :',
);

/** True for a program that starts the program behind it, by its name without a folder. */
export function isLauncher(name: string): boolean {
  return LAUNCHERS.has(name) || LOADER.test(name);
}

/** True unless the program is known not to start what is behind it. */
export function mayLaunch(name: string): boolean {
  return !HARMLESS.has(name);
}
