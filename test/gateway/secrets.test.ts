import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {listen} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {answerJson} from '../mcp/fixture-servers.ts';
import {startToolService, stdioEntry, writeServers} from './start-tool-service.ts';

const signal = neverAborted();
const origin = {kind: 'command-line'} as const;
const secret = 'hunter2-hunter2';

/** Every file below a folder that holds the secret, but the one it was written into. */
function filesWithSecret(home: string): string[] {
	return readdirSync(home, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile() && entry.name !== '.env')
		.map(entry => join(entry.parentPath, entry.name))
		.filter(path => readFileSync(path).includes(secret));
}

test('a secret of a header that its server sends back reaches no event and no file', async () => {
	const repeat = {content: [{type: 'text', text: `your header was Bearer ${secret}`}], isError: true};
	const results = {'tools/call': repeat};
	const url = await listen(
		createServer((request, response) => void answerJson(request, response, {results})),
		'/mcp',
	);
	const home = temporaryDirectory();
	writeFileSync(join(home, '.env'), `API_TOKEN=${secret}\n`);
	writeServers(home, {api: {url, lazy: true, headers: {Authorization: 'Bearer ${API_TOKEN}'}}});
	const {callTool, recorded, stop} = await startToolService(home);
	await callTool({name: 'mcp__api__echo', arguments: {}, origin}, {signal});
	await stop();
	expect(recorded.ofType('tool.finished')).toHaveLength(1);
	expect(JSON.stringify(recorded.events)).not.toContain(secret);
	expect(filesWithSecret(home)).toEqual([]);
});

test('a secret of its environment that a process prints reaches no file and no event', async () => {
	const home = temporaryDirectory();
	writeFileSync(join(home, '.env'), `API_TOKEN=${secret}\n`);
	const {command, args} = stdioEntry('mcp-plain.ts');
	const loud = ['-c', 'echo "my token is $TOKEN" >&2; exec "$0" "$@"', command, ...args];
	writeServers(home, {loud: {command: 'sh', args: loud, env: {TOKEN: '${API_TOKEN}'}}});
	const {recorded, stop, paths} = await startToolService(home);
	await stop();
	expect(readFileSync(join(paths.serverLogs, 'loud.log'), 'utf8')).toContain('my token is ‹redacted 15 chars›\n');
	expect(JSON.stringify(recorded.events)).not.toContain(secret);
	expect(filesWithSecret(home)).toEqual([]);
});
