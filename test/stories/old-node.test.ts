import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {expect, test} from 'vitest';
import {program} from '../helpers/sluice.ts';

type OldNode = {readonly path: string; readonly version: string};

/** A Node.js of this machine that is too old for the program. */
function findOldNode(): OldNode | undefined {
	return (process.env['PATH'] ?? '')
		.split(delimiter)
		.map(directory => join(directory, 'node'))
		.filter(path => !path.includes('node_modules') && existsSync(path))
		.map(path => ({path, version: execFileSync(path, ['--version'], {encoding: 'utf8'}).trim().slice(1)}))
		.find(({version}) => Number(version.split('.')[0]) < 22);
}

const oldNode = findOldNode();

test.skipIf(oldNode === undefined)(
	'an old Node.js is told in one line what is needed (skipped where none is installed)',
	() => {
		const {path = '', version} = oldNode ?? {};
		const {status, stdout, stderr} = spawnSync(path, [program, 'mcp', 'list'], {encoding: 'utf8'});
		expect({status, stdout, stderr}).toEqual({
			status: 1,
			stdout: '',
			stderr: `sluice needs Node.js 22.22.2 or newer, 24.15 or newer, or 26 and later; this is ${version}\n`,
		});
	},
);
