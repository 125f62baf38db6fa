import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {openForAll} from '../helpers/on-test-finished.ts';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {startSluice, stateDirectory} from '../helpers/sluice.ts';
import {startListening} from '../mcp/fixture-servers.ts';

/** A state directory with one server per transport; all of them must ask before they write. */
async function openHome(): Promise<string> {
	const [http, sse] = await Promise.all([
		startListening('mcp-both-eras.ts', 'http'),
		startListening('mcp-legacy.ts', 'sse'),
	]);
	return stateDirectory({
		mcp_servers: {
			'near-by': {command: process.execPath, args: fixtureArguments('mcp-both-eras.ts', 'stdio'), trust: 'untrusted'},
			streamed: {url: http.url, trust: 'untrusted'},
			older: {url: sse.url, transport: 'sse', trust: 'untrusted'},
		},
	});
}

const servers = [
	{name: 'near-by', transport: 'stdio'},
	{name: 'streamed', transport: 'http'},
	{name: 'older', transport: 'sse'},
].map(server => ({...server, profile: 'default', state: 'connected', reason: null, trust: 'untrusted'}));

describe.each(['without a gateway', 'through a running gateway'])('servers over stdio, HTTP and SSE, %s,', how => {
	const at = openForAll(async () => {
		const home = await openHome();
		if (how === 'through a running gateway') {
			const gateway = startSluice({home}, 'gateway', 'run');
			await Promise.all(servers.map(({name}) => gateway.waitForLine(`${name} connected`)));
		}

		return {home};
	});

	test('are connected and offer their tools under registered names', async () => {
		expect(await runSluiceJson(at(), 'mcp', 'list')).toMatchObject(servers);
		const tools = (await runSluiceJson(at(), 'mcp', 'tools')) as Array<{name: string; approval: string}>;
		const named = (end: string) => tools.filter(({name}) => name.endsWith(end));
		expect(named('__echo')).toMatchObject([
			{name: 'mcp__near_by__echo', server: 'near-by', tool: 'echo', read_only: true, approval: 'none'},
			{name: 'mcp__streamed__echo', server: 'streamed', tool: 'echo', read_only: true, approval: 'none'},
			{name: 'mcp__older__echo', server: 'older', tool: 'echo', read_only: true, approval: 'none'},
		]);
		expect(named('__append').map(({approval}) => approval)).toEqual(['ask', 'ask', 'ask']);
	});

	test('run a read-only tool freely and a writing one only with consent', async () => {
		const call = (...words: readonly string[]) => runSluice(at(), 'mcp', 'call', ...words);
		expect(await call('mcp__older__echo', '--args', '{"text":"hello"}')).toEqual({
			code: 0,
			stdout: 'hello\n',
			stderr: '',
		});

		const mark = join(at().home, 'mark');
		const args = JSON.stringify({file: mark, text: 'x'});
		const refused = await call('mcp__streamed__append', '--args', args, '--json');
		expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([
			1,
			{error: {code: 'no_channel', server: 'streamed'}},
		]);
		expect(() => readFileSync(mark)).toThrow(/ENOENT/);

		const allowed = await call('mcp__streamed__append', '--args', args, '--approve', '--json');
		expect([allowed.code, JSON.parse(allowed.stdout)]).toEqual([0, {result: 'done'}]);
		expect(readFileSync(mark, 'utf8')).toBe('x');
	});
});
