// Installs the agents of the lab: node test/live/lab/install.ts [name …]; by default those that the live tests need. What is already
// there is kept.
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {
  AGENT_NAMES,
  ALL_AGENT_NAMES,
  ALL_AGENTS,
  isAgentName,
  SINGLE_AGENT_NAMES,
  type AnyAgentName,
} from './agents.ts';
import {LAB, folderOf, isInstalled} from './folder.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !isAgentName(name));
if (unknown.length > 0) {
  console.error(`no such agent: ${unknown.join(', ')}; the lab has ${ALL_AGENT_NAMES.join(', ')}`);
  process.exit(2);
}

console.log(`into ${LAB} (ACP_TUI_LAB chooses another folder)`);
for (const name of wanted.length > 0 ? wanted.filter(isAgentName) : [...AGENT_NAMES, ...SINGLE_AGENT_NAMES]) {
  if (isInstalled(name)) console.log(`${name}: already there`);
  else await install(name);
}

/** npm runs under this Node: under an older one it would silently choose older versions of an agent's dependencies. */
async function install(name: AnyAgentName): Promise<void> {
  const agent = ALL_AGENTS[name];
  const folder = folderOf(name);
  const packages = {[agent.package]: agent.version, ...agent.needs};
  const specs = Object.entries(packages).map(([from, version]) => `${from}@${version}`);
  console.log(`${name}: npm install ${specs.join(' ')}`);
  mkdirSync(folder, {recursive: true});
  const allowScripts = Object.fromEntries(Object.keys(packages).map((from) => [from, true]));
  const manifest = {private: true, allowScripts};
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await execa('npm', ['install', '--no-audit', '--no-fund', '-E', ...specs], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter)},
  });
}
