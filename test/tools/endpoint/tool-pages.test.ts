import {describe, expect, test} from 'vitest';
import {definition, offerOf} from '../server-offers.ts';
import {openEndpoint, type TestClient, ways} from './endpoint-fixture.ts';

const toolNames = Array.from({length: 450}, (_, index) => `tool_${index}`);

async function openWithTools(names: readonly string[]) {
	const endpoint = await openEndpoint();
	const offer = () => ({...offerOf('tool_0'), tools: names.map(name => definition(name))});
	endpoint.catalogue.register(endpoint.config, offer());
	return endpoint;
}

/** The pages of a list, each as the client asked for it with the cursor of the one before. */
async function pagesOf(client: TestClient): Promise<ReadonlyArray<readonly string[]>> {
	const pages: string[][] = [];
	let cursor: string | undefined;
	do {
		const {tools, nextCursor} = await client.listTools({...(cursor !== undefined && {cursor})});
		pages.push(tools.map(({name}) => name));
		cursor = nextCursor;
	} while (cursor !== undefined && pages.length < 10);
	return pages;
}

/** The second SDK follows the cursors by itself when it is asked for the whole list. */
const pagingWays = ways.filter(({way}) => way.startsWith('the first SDK'));

describe.each(pagingWays)('$way', ({connect}) => {
	test('450 tools are three pages, in the order of the catalogue', async () => {
		const endpoint = await openWithTools(toolNames);
		const pages = await pagesOf(await connect(endpoint));
		expect(pages.map(page => page.length)).toEqual([200, 200, 50]);
		expect(pages.flat()).toEqual(endpoint.catalogue.list().map(({name}) => name));
	});

	test('200 tools are one page', async () => {
		const pages = await pagesOf(await connect(await openWithTools(toolNames.slice(0, 200))));
		expect(pages.map(page => page.length)).toEqual([200]);
	});

	test('a list that changes between two pages neither repeats nor skips a tool that stays', async () => {
		const endpoint = await openWithTools(toolNames);
		const client = await connect(endpoint);
		const {tools: first, nextCursor = ''} = await client.listTools();
		const staying = toolNames.filter((_, index) => index % 3 !== 0);
		endpoint.catalogue.register(endpoint.config, {
			...offerOf('tool_0'),
			tools: staying.map(name => definition(name)),
		});
		const {tools: second} = await client.listTools({cursor: nextCursor});
		const seen = [...first, ...second].map(({name}) => name);
		expect(new Set(seen).size).toBe(seen.length);
		expect(second[0]?.name).toBe('mcp__files__tool_200');
	});

	test.each([
		{why: 'of a tool that is gone', cursor: Buffer.from('mcp__files__gone').toString('base64url')},
		{why: 'that is none', cursor: '‹›'},
		{why: 'that is empty', cursor: ''},
	])('a cursor $why is an error of the protocol', async ({cursor}) => {
		const client = await connect(await openWithTools(toolNames));
		await expect(client.listTools({cursor})).rejects.toMatchObject({code: -32_602});
	});
});

describe.each(ways)('$way', ({connect}) => {
	test('a client that follows the cursors has all tools', async () => {
		const endpoint = await openWithTools(toolNames);
		const pages = await pagesOf(await connect(endpoint));
		expect(pages.flat()).toEqual(endpoint.catalogue.list().map(({name}) => name));
	});
});
