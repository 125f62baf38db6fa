/*
`npm run try:programs -- [PROGRAM…] [--way stdio|http] [--wait SECONDS] [--timeout written|removed] [--folder FOLDER]`: published agent programs
behind Sluice, each without a terminal and against a provider on this machine, for one call that a person allows after a while. Packages are
installed from npm into FOLDER, by default one that is removed again. Prints a line a program; exits with 1 when one was not answered.
*/
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {isJsonObject} from '../../source/util/json-text.ts';
import {realPrograms} from './real-programs.ts';
import {tryProgram} from './trial.ts';

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		way: {type: 'string', default: 'stdio'},
		wait: {type: 'string', default: '20'},
		timeout: {type: 'string', default: 'written'},
		folder: {type: 'string'},
	},
});
const way = values.way === 'http' ? 'http' : 'stdio';
const timeout = values.timeout === 'removed' ? 'removed' : 'written';
const root = values.folder ?? mkdtempSync(join(tmpdir(), 'sluice-programs-'));
const wanted = realPrograms.filter(({name}) => positionals.length === 0 || positionals.includes(name));

/** Installs a package with its install scripts, as its users do, and answers its version. */
function install(name: string, folder: string): string {
	mkdirSync(folder, {recursive: true});
	execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', `${name}@latest`], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	return installed(name, folder) ?? '';
}

/** The version of a package that is there from before. */
function installed(name: string, folder: string): string | undefined {
	const file = join(folder, 'node_modules', name, 'package.json');
	const manifest: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
	return isJsonObject(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : undefined;
}

const failed: string[] = [];
for (const program of wanted) {
	const folder = join(root, program.name);
	try {
		const version = installed(program.package, folder) ?? install(program.package, folder);
		const {outcome, arrivedSeconds, waitedSeconds, notes} = await tryProgram(program, {
			folder,
			way,
			timeout,
			waitSeconds: Number(values.wait),
		});
		const times = arrivedSeconds === undefined ? '' : `called after ${arrivedSeconds} s, waited ${waitedSeconds} s: `;
		console.log(`${program.name.padEnd(12)} ${version.padEnd(12)} ${way.padEnd(6)} ${times}${outcome}`);
		notes.filter(note => note !== '').forEach(note => console.log(note.trimEnd().replaceAll(/^/gmu, '    ')));
		if (outcome !== 'answered') {
			failed.push(program.name);
		}
	} catch (error) {
		failed.push(program.name);
		console.log(`${program.name.padEnd(12)} not tried: ${error instanceof Error ? error.message.slice(0, 2000) : ''}`);
	}
}

if (values.folder === undefined) {
	rmSync(root, {recursive: true, force: true});
}

process.exitCode = failed.length === 0 ? 0 : 1;
