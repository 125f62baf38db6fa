import {expect, test} from 'vitest';
import {listTools} from '../../../source/mcp/protocol/tool-listing.ts';

const tool = (name: string) => ({name, inputSchema: {type: 'object'}});

test('pages are read to the end', async () => {
	const {tools, warnings} = await listTools(async cursor =>
		cursor === undefined ? {tools: [tool('a')], nextCursor: 'x'} : {tools: [tool('b')]},
	);
	expect(tools.map(({name}) => name)).toEqual(['a', 'b']);
	expect(warnings).toEqual([]);
});

test('a cursor that comes again ends the list', async () => {
	const {tools, warnings} = await listTools(async () => ({tools: [tool('a')], nextCursor: 'x'}));
	expect(tools).toHaveLength(2);
	expect(warnings).toHaveLength(1);
});

test('a list without end is cut', async () => {
	let page = 0;
	const {tools, warnings} = await listTools(async () => ({tools: [tool(`t${page}`)], nextCursor: String(page++)}));
	expect(tools).toHaveLength(200);
	expect(warnings).toEqual(['the list of tools was cut after 200 pages']);
});

test('ten thousand tools are used and no more', async () => {
	const many = Array.from({length: 10_001}, (_, index) => tool(`t${index}`));
	const {tools, warnings} = await listTools(async () => ({tools: many}));
	expect(tools).toHaveLength(10_000);
	expect(warnings).toHaveLength(1);
});

test('a broken definition does not cost the others', async () => {
	const {tools, warnings} = await listTools(async () => ({tools: [tool('a'), {name: 'b'}, 'c', tool('d')]}));
	expect(tools.map(({name}) => name)).toEqual(['a', 'd']);
	expect(warnings).toEqual(['2 tool definitions were not usable']);
});

test.each(['true', 1, null])('readOnlyHint %j is not a claim', async readOnlyHint => {
	const {tools} = await listTools(async () => ({tools: [{...tool('a'), annotations: {readOnlyHint, title: 'A'}}]}));
	expect(tools[0]?.annotations).toEqual({title: 'A'});
});

test('a definition that is nested without end does not cost the others', async () => {
	const deep: unknown = JSON.parse(`${'{"items":'.repeat(100_000)}{}${'}'.repeat(100_000)}`);
	const {tools, warnings} = await listTools(async () => ({tools: [{name: 'a', inputSchema: deep}, tool('b')]}));
	expect(tools.map(({name}) => name)).toEqual(['b']);
	expect(warnings).toEqual(['1 tool definitions were not usable']);
});

test.each([['text'], [null], [[]]])('an input schema that is %j is not one', async inputSchema => {
	const {tools} = await listTools(async () => ({tools: [{name: 'a', inputSchema}, tool('b')]}));
	expect(tools.map(({name}) => name)).toEqual(['b']);
});
