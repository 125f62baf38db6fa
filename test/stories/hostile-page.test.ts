import {createServer} from 'node:http';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {listen} from '../helpers/loopback.ts';
import {startModelServer} from '../simulators/model-server.ts';
import {startSluice, stateDirectory} from '../helpers/sluice.ts';
import {listeningAt, post, webhookPlatform} from './sender.ts';

const hostilePage = gzipSync('<div class="result">'.repeat(240_000));
const ordinaryPage = gzipSync(
	'<html><body><div class="result"><a class="result__a" href="//duckduckgo.com/l/?uddg=http%3A%2F%2Fone.example%2F">One</a></div></body></html>',
);

/** A search service whose first answer is hostile. */
async function startSearch(): Promise<string> {
	let asked = 0;
	const server = createServer((_request, response) => {
		asked++;
		response.writeHead(200, {'content-type': 'text/html', 'content-encoding': 'gzip'});
		response.end(asked === 1 ? hostilePage : ordinaryPage);
	});
	return listen(server);
}

test('a page of a few kilobytes that no parser gets through stops neither the gateway nor the next search', async () => {
	expect(hostilePage.length).toBeLessThan(30_000);
	const search = {calls: [{name: 'web_search', input: {query: 'carrots'}}]};
	const model = await startModelServer(search, search, 'Found them.');
	const at = {
		home: stateDirectory({
			model: {provider: 'openai-compatible', base_url: `${model.url}/v1`, name: 'tiny'},
			search: {provider: 'duckduckgo', url: await startSearch()},
			...webhookPlatform({
				issues: {events: ['pull_request'], prompt: 'Look for carrots', toolsets: ['web_search']},
			}),
		}),
	};
	const gateway = startSluice(at, 'gateway', 'run', '--log', 'json');
	const base = await listeningAt(gateway);
	expect(await post(base, {id: 'd-1', event: 'pull_request', payload: {}})).toMatchObject({status: 202});

	expect(JSON.parse(await gateway.waitForLine('"type":"tool.finished"'))).toMatchObject({
		tool: 'web_search',
		outcome: 'failed',
		summary: expect.stringContaining('cannot be read'),
	});
	expect(JSON.parse(await gateway.waitForLine('"state":"finished"'))).toMatchObject({answer: 'Found them.'});
	expect(JSON.stringify(model.requests().at(-1)?.messages)).toContain('http://one.example/');
	expect(await (await fetch(`${base}/health`)).json()).toMatchObject({status: 'ok'});

	gateway.signal('SIGTERM');
	expect(await gateway.end).toMatchObject({code: 0, stderr: ''});
});
