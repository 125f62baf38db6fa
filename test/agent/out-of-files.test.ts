import {execFile} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {serve} from '../helpers/loopback.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const fixture = join(import.meta.dirname, '../fixtures/out-of-files.ts');

test('what a run needs says that no file can be opened, not that it is not there', async () => {
	const {origin} = await serve((_request, response) => response.end('{"data":[{"id":"tiny"}]}'));
	const {port} = new URL(origin);
	const folder = temporaryDirectory();
	mkdirSync(join(folder, 'review'));
	writeFileSync(join(folder, 'review', 'SKILL.md'), '---\ndescription: How to review\n---\nBe kind.\n');
	const command = ['ulimit -n 64; exec "$0" "$@"', process.execPath, fixture, port, folder];
	const {stdout} = await promisify(execFile)('sh', ['-c', ...command], {env: {NODE_EXTRA_CA_CERTS: ''}});
	const none = 'too_many_open_files';
	expect(JSON.parse(stdout)).toEqual([
		{'model at 127.0.0.1': none, 'model at localhost': none, skill: none, models: none, asked: 2},
		{'model at 127.0.0.1': '200', 'model at localhost': '200', skill: '1', models: '1', asked: 2},
	]);
});
