import {createServer} from 'node:http';
import {expect, test} from 'vitest';
import {prepareSchema} from '../../source/util/json-schema.ts';
import {listen} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {callTargets, runCall, startToolService, stdioEntry, writeServers} from './start-tool-service.ts';

test.each(['legacy', 'stateless'])('a schema that refers to an address is never fetched (%s era)', async era => {
	const requests: string[] = [];
	const canary = createServer((request, response) => {
		requests.push(request.url ?? '');
		response.setHeader('content-type', 'application/json').end('{"type":"object"}');
	});
	const address = await listen(canary, '/mcp');
	const home = temporaryDirectory();
	writeServers(home, {peer: {...stdioEntry('mcp-asking.ts', era, address), protocol: era}});
	const service = await startToolService(home);
	const tool = service.catalogue.find('mcp__peer__referring');
	expect(JSON.stringify(tool?.definition.inputSchema)).toContain(address);

	const outcome = await service.callTool(
		{name: 'mcp__peer__referring', arguments: {profile: {name: 'Ada'}}, origin: {kind: 'command-line'}},
		{signal: neverAborted()},
	);
	const targets = callTargets(service);
	await runCall({method: 'mcp.view-tools', params: {}}, targets);
	await prepareSchema(tool?.definition.inputSchema ?? {});
	expect(outcome).toMatchObject({kind: 'result', structuredContent: {profile: {name: 'Ada'}}});
	expect(service.recorded.ofType('view.tools')[0]?.tools).toContainEqual(expect.objectContaining({tool: 'referring'}));
	expect(requests).toEqual([]);
});
