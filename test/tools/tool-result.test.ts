import {describe, expect, test} from 'vitest';
import {type CallContent} from '../../source/mcp/connection.ts';
import {type Media, resultCharacterLimit, toolResult} from '../../source/tools/tool-result.ts';
import {type JsonObject} from '../../source/util/json-text.ts';

function answer(content: readonly JsonObject[], members: Partial<CallContent> = {}): CallContent {
	return {content, isError: false, ...members};
}

const text = (text: string): JsonObject => ({type: 'text', text});
const options = {server: 'files', readTool: undefined, saveMedia: () => Promise.resolve('/media/file')};

describe('a result', () => {
	test('joins its text blocks with line breaks', async () => {
		expect(await toolResult(answer([text('one'), text('two')]), options)).toEqual({kind: 'result', result: 'one\ntwo'});
	});

	test('of nothing is an empty text', async () => {
		expect(await toolResult(answer([]), options)).toEqual({kind: 'result', result: ''});
	});

	test('leaves the text as the server wrote it', async () => {
		expect(await toolResult(answer([text('\u{1B}[31mred')]), options)).toEqual({
			kind: 'result',
			result: '\u{1B}[31mred',
		});
	});

	test('names the path of a picture', async () => {
		const block = {type: 'image', data: 'aGk=', mimeType: 'image/png'};
		expect(await toolResult(answer([block]), options)).toEqual({
			kind: 'result',
			result: '[image (image/png): /media/file]',
			media: ['/media/file'],
		});
	});

	test.each<[string, JsonObject]>([
		['image', {type: 'image', data: 'aGk=', mimeType: 'image/png'}],
		['sound', {type: 'audio', data: 'aGk=', mimeType: 'audio/wav'}],
		['file', {type: 'resource', resource: {uri: 'file:///a', blob: 'aGk=', mimeType: 'application/pdf'}}],
	])('keeps the bytes of a %s', async (_, block) => {
		const kept: Media[] = [];
		const saveMedia = async (media: Media) => {
			kept.push(media);
			return '/media/file';
		};

		await toolResult(answer([block]), {...options, saveMedia});
		expect(kept.map(media => new TextDecoder().decode(media.bytes))).toEqual(['hi']);
	});

	test('survives a picture that cannot be kept', async () => {
		const saveMedia = () => Promise.reject(new Error('disk full'));
		const block = {type: 'image', data: 'aGk=', mimeType: 'image/png'};
		expect(await toolResult(answer([block, text('done')]), {...options, saveMedia})).toEqual({
			kind: 'result',
			result: '[image (image/png): could not be kept]\ndone',
		});
	});

	test.each<[string, JsonObject, string | undefined, string]>([
		[
			'a link, with the tool that reads it',
			{type: 'resource_link', uri: 'file:///a', name: 'A'},
			'mcp__files__read_resource',
			'[resource "A" file:///a, read it with mcp__files__read_resource]',
		],
		['a link that no tool reads', {type: 'resource_link', uri: 'file:///a'}, undefined, '[resource file:///a]'],
		['a resource with its text', {type: 'resource', resource: {uri: 'file:///a', text: 'body'}}, undefined, 'body'],
		['a block of another kind', {type: 'hologram', depth: 3}, undefined, '{"type":"hologram","depth":3}'],
		['a text block without text', {type: 'text'}, undefined, '{"type":"text"}'],
	])('shows %s', async (...[, block, readTool, result]) => {
		expect(await toolResult(answer([block]), {...options, readTool})).toEqual({kind: 'result', result});
	});
});

describe('structured content', () => {
	const structuredContent = {a: 1, b: [true]};

	test.each(['{"a":1,"b":[true]}', '{ "b": [true],\n"a": 1 }'])(
		'is dropped when a text says the same: %s',
		async same => {
			expect(await toolResult(answer([text('note'), text(same)], {structuredContent}), options)).toEqual({
				kind: 'result',
				result: `note\n${same}`,
			});
		},
	);

	test.each([
		{what: 'a text', wrapped: 'It is done', texts: ['It is done']},
		{what: 'a text as JSON', wrapped: 'It is done', texts: ['"It is done"']},
		{what: 'a number', wrapped: 5, texts: ['5']},
		{what: 'an object', wrapped: {a: 1, b: 2}, texts: ['{"b": 2, "a": 1}']},
		{what: 'a list', wrapped: [1, 'two'], texts: ['[1, "two"]']},
		{what: 'a list, one text for each item', wrapped: [{a: 1}, 'two'], texts: ['{"a":1}', 'two']},
	])('is dropped when it only wraps what a text says: $what', async ({wrapped, texts}) => {
		const content = texts.map(one => text(one));
		expect(await toolResult(answer(content, {structuredContent: {result: wrapped}}), options)).toEqual({
			kind: 'result',
			result: texts.join('\n'),
		});
	});

	test.each<{what: string; structure: JsonObject; texts: readonly string[]}>([
		{what: 'another member', structure: {result: 'done', rows: 3}, texts: ['done']},
		{what: 'another value', structure: {result: 'done'}, texts: ['Done']},
		{what: 'fewer items', structure: {result: ['a', 'b']}, texts: ['a']},
		{what: 'no items', structure: {result: []}, texts: []},
	])('is kept when it says more than its wrapper: $what', async ({structure, texts}) => {
		const content = texts.map(one => text(one));
		expect(await toolResult(answer(content, {structuredContent: structure}), options)).toMatchObject({
			structuredContent: structure,
		});
	});

	test.each(['{"a":1}', 'a is 1', '', '{"a":1,"b":[true]} and more'])('is kept beside %j', async other => {
		expect(await toolResult(answer([text(other)], {structuredContent}), options)).toEqual({
			kind: 'result',
			result: other,
			structuredContent,
		});
	});

	test('that is too large becomes text with its middle cut', async () => {
		const large = {text: 'x'.repeat(resultCharacterLimit)};
		const outcome = await toolResult(answer([], {structuredContent: large}), options);
		expect(outcome).toMatchObject({kind: 'result', result: expect.stringContaining('characters cut')});
		expect(outcome).not.toHaveProperty('structuredContent');
	});

	test('that is nested without end is named', async () => {
		let deep: JsonObject = {};
		for (let level = 0; level < 100_000; level++) {
			deep = {deep};
		}

		expect(await toolResult(answer([], {structuredContent: deep}), options)).toEqual({
			kind: 'result',
			result: '[structured content, nested more than 500 levels deep]',
		});
	});
});

describe('a long result', () => {
	test('keeps head and tail under the cap', async () => {
		const long = `head${'x'.repeat(resultCharacterLimit)}tail`;
		const outcome = await toolResult(answer([text(long)]), options);
		const result = outcome.kind === 'result' ? outcome.result : '';
		expect(result.length).toBeLessThanOrEqual(resultCharacterLimit);
		expect([result.startsWith('head'), result.endsWith('tail')]).toEqual([true, true]);
	});

	test('of just the cap is not cut', async () => {
		const whole = 'x'.repeat(resultCharacterLimit);
		expect(await toolResult(answer([text(whole)]), options)).toEqual({kind: 'result', result: whole});
	});
});

describe('a tool that says it failed', () => {
	test('is an error with its text', async () => {
		expect(await toolResult(answer([text('no such file')], {isError: true}), options)).toEqual({
			kind: 'error',
			error: {code: 'tool_error', message: 'no such file', server: 'files'},
		});
	});

	test('is an error without a text of its own too', async () => {
		expect(await toolResult(answer([], {isError: true}), options)).toMatchObject({
			error: {code: 'tool_error', message: 'The tool reported an error'},
		});
	});

	test('is an error with its structured content as text', async () => {
		expect(await toolResult(answer([], {isError: true, structuredContent: {code: 7}}), options)).toMatchObject({
			error: {code: 'tool_error', message: '{"code":7}'},
		});
	});
});
