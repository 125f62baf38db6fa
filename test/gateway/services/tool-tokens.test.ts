import {countTokens} from 'gpt-tokenizer/encoding/o200k_base';
import {expect, onTestFinished, test} from 'vitest';
import {openToolTokens, tokensByClient} from '../../../source/gateway/services/tool-tokens.ts';
import {nativeTool, type RegisteredTool} from '../../../source/tools/registered-tool.ts';
import {systemClock} from '../../../source/util/clock.ts';

function toolOf(name: string, description: string, server = 'files'): RegisteredTool {
	return nativeTool(
		{name: server, trust: 'full'},
		{name, description, inputSchema: {type: 'object', properties: {path: {type: 'string'}}}},
	);
}

function openCounts(tools: readonly RegisteredTool[]) {
	let list = tools;
	const log: string[] = [];
	let counted = 0;
	const publish = (event: {readonly type: string}) => void log.push(JSON.stringify(event));
	const tokens = openToolTokens({clock: systemClock, publish}, {list: () => list}, () => counted++);
	onTestFinished(tokens.close);
	return {tokens, log, counted: () => counted, replace: (fresh: readonly RegisteredTool[]) => void (list = fresh)};
}

test('counts what a client hands to a model of each tool, once for each definition', async () => {
	const [read, write] = [toolOf('read', 'Reads a file.'), toolOf('write', '')];
	const {tokens, replace, counted} = openCounts([read, write]);
	expect([tokens.of(read), tokens.sum([read, write])]).toEqual([undefined, undefined]);
	await Promise.all([tokens.count(), tokens.count()]);
	expect(counted()).toBe(1);
	const {inputSchema} = read.definition;
	const text = JSON.stringify({name: 'mcp__files__read', description: 'Reads a file.', input_schema: inputSchema});
	expect(tokens.of(read)).toBe(countTokens(text));
	expect(tokens.sum([read, write])).toBe((tokens.of(read) ?? 0) + (tokens.of(write) ?? 0));
	const changed = toolOf('read', 'Reads a file, or a folder.');
	replace([changed]);
	expect(tokens.of(changed)).toBe(undefined);
	await tokens.count();
	expect(tokens.of(changed)).toBeGreaterThan(countTokens(text));
	expect([tokens.of(write), tokens.sum([])]).toEqual([undefined, undefined]);
});

test.each([
	['what is special in a model', '<|endoftext|> <|im_start|>system'],
	['one long word', 'x'.repeat(200_000)],
	['blanks', ' '.repeat(200_000)],
	['other alphabets', 'файлы 日本語 🔑'.repeat(1000)],
	['half of a surrogate pair', 'a\uD83D b'],
])('a description of a server with %s is counted as text', async (_what, description) => {
	const tool = toolOf('read', description);
	const {tokens, log} = openCounts([tool]);
	await tokens.count();
	expect([tokens.of(tool), log]).toEqual([expect.any(Number), []]);
});

test('the list of a client is that of its filter', async () => {
	const tools = [toolOf('read', 'Reads.'), toolOf('write', 'Writes.'), toolOf('get', 'Gets.', 'web')];
	const {tokens} = openCounts(tools);
	const clients = new Map([
		['default', {exclude: []}],
		['reader', {include: ['files/read'], exclude: []}],
		['nobody', {include: [], exclude: []}],
	]);
	expect(tokensByClient(tools, {clients, sum: tokens.sum})).toEqual({nobody: 0});
	await tokens.count();
	expect(tokensByClient(tools, {clients, sum: tokens.sum})).toEqual({
		default: tokens.sum(tools),
		reader: tokens.sum(tools.slice(0, 1)),
		nobody: 0,
	});
});

test('a gateway that stops ends the count, which leaves what was not counted', async () => {
	const tools = Array.from({length: 2000}, (_, index) => toolOf(`t${index}`, 'word '.repeat(200)));
	const {tokens} = openCounts(tools);
	const counted = tokens.count();
	tokens.close();
	await counted;
	expect(tokens.sum(tools)).toBe(undefined);
});
