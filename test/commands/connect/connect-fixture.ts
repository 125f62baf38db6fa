import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {runSluice} from '../../helpers/run-sluice.ts';
import {stateDirectory} from '../../helpers/sluice.ts';

/** A user with a home folder, which is the state directory too, and nothing on PATH. */
export function openHome(config: string | object = '', env: Readonly<Record<string, string>> = {}) {
	const home = stateDirectory(config);
	const surroundings = {home, env: {PATH: join(home, 'bin'), ...env}};
	const path = (file: string) => join(home, file);
	return {
		home,
		surroundings,
		path,
		write: (file: string, text: string | Buffer, mode = 0o644) => {
			mkdirSync(dirname(path(file)), {recursive: true});
			writeFileSync(path(file), text, {mode});
		},
		read: (file: string) => readFileSync(path(file), 'utf8'),
		has: (file: string) => existsSync(path(file)),
		records: () => (existsSync(path('connections')) ? readdirSync(path('connections')) : []),
		connect: (...words: readonly string[]) => runSluice(surroundings, 'connect', ...words),
	};
}

export type Home = ReturnType<typeof openHome>;

/** A `claude` that adds and removes entries of the user as Claude Code does: it writes the whole file again. */
export function installClaude({write, path}: Pick<Home, 'write' | 'path'>): void {
	const script = `#!${process.execPath}
const {appendFileSync, existsSync, readFileSync, writeFileSync} = require('node:fs');
const [file, words] = [process.env.HOME + '/.claude.json', process.argv.slice(2)];
appendFileSync(process.env.HOME + '/claude-calls', JSON.stringify(words) + '\\n');
const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
state.mcpServers ??= {};
const [, act, name, json] = words;
if (act === 'add-json' && name in state.mcpServers) {
	console.error('MCP server ' + name + ' already exists in user config');
	process.exit(1);
}
if (act === 'add-json') state.mcpServers[name] = JSON.parse(json);
else delete state.mcpServers[name];
writeFileSync(file, JSON.stringify(state, null, 2));
`;
	write('bin/claude', script);
	chmodSync(path('bin/claude'), 0o755);
}
