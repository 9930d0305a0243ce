// Installs the agents of the lab: node test/live/lab/install.ts [name …]. What is already there is left alone.
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {AGENTS, AGENT_NAMES, isAgentName, type AgentName} from './agents.ts';
import {LAB, folderOf, isInstalled} from './folder.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !isAgentName(name));
if (unknown.length > 0) {
  console.error(`no such agent: ${unknown.join(', ')}; the lab has ${AGENT_NAMES.join(', ')}`);
  process.exit(2);
}

console.log(`into ${LAB} (ACP_TUI_LAB chooses another folder)`);
for (const name of AGENT_NAMES) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (isInstalled(name)) console.log(`${name}: already there`);
  else await install(name);
}

/** npm runs under this very Node: under an older one it would silently choose older versions of what an agent needs. */
async function install(name: AgentName): Promise<void> {
  const agent = AGENTS[name];
  const folder = folderOf(name);
  console.log(`${name}: npm install ${agent.package}@${agent.version}`);
  mkdirSync(folder, {recursive: true});
  const manifest = {private: true, allowScripts: {[agent.package]: true}};
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await execa('npm', ['install', '--no-audit', '--no-fund', '-E', `${agent.package}@${agent.version}`], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter)},
  });
}
