import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const fixture = join(import.meta.dirname, '../fixtures/out-of-files.ts');

test('what a run needs says that no file can be opened, not that it is not there', async () => {
	const server = createServer((_request, response) => response.end('{"data":[{"id":"tiny"}]}')).listen(0, '127.0.0.1');
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	const folder = temporaryDirectory();
	mkdirSync(join(folder, 'review'));
	writeFileSync(join(folder, 'review', 'SKILL.md'), '---\ndescription: How to review\n---\nBe kind.\n');
	const command = ['ulimit -n 64; exec "$0" "$@"', process.execPath, fixture, String(port), folder];
	const {stdout} = await promisify(execFile)('sh', ['-c', ...command], {env: {NODE_EXTRA_CA_CERTS: ''}});
	const none = 'too_many_open_files';
	expect(JSON.parse(stdout)).toEqual([
		{'model at 127.0.0.1': none, 'model at localhost': none, skill: none, models: none, asked: 2},
		{'model at 127.0.0.1': '200', 'model at localhost': '200', skill: '1', models: '1', asked: 2},
	]);
});
