import {describe, expect, test} from 'vitest';
import {callContent} from '../../../source/mcp/calls/call-content.ts';
import {type CallContent} from '../../../source/mcp/connection.ts';
import {listedTool} from '../../../source/tools/endpoint/aggregate-server.ts';
import {callResult} from '../../../source/tools/endpoint/answer-call.ts';
import {nativeTool} from '../../../source/tools/registered-tool.ts';
import {resultCharacterLimit} from '../../../source/tools/tool-result.ts';
import {definition, serverConfig} from '../server-offers.ts';

const redact = (text: string) => text.replaceAll('hunter2', '***');
const said = (content: CallContent['content'], more: Partial<CallContent> = {}): CallContent => ({
	content,
	isError: false,
	...more,
});

describe('the answer of a call', () => {
	test('an error of ours is the JSON of D4, secrets removed', () => {
		const error = {
			code: 'outcome_uncertain',
			message: 'lost, hunter2',
			server: 'files',
			outcomeUncertain: true,
		} as const;
		const answer = callResult({outcome: {kind: 'error', error}, answer: undefined}, redact);
		expect(answer.isError).toBe(true);
		expect(JSON.parse(answer.content[0]?.type === 'text' ? answer.content[0].text : '')).toEqual({
			error: {code: 'outcome_uncertain', message: 'lost, ***', server: 'files', outcome_uncertain: true},
		});
	});

	test('what a server says of its own failure is passed on as it is', () => {
		const answer = said([{type: 'text', text: 'no such file'}], {isError: true});
		const outcome = {kind: 'error', error: {code: 'tool_error', message: 'no such file'}} as const;
		expect(callResult({outcome, answer}, redact)).toEqual({content: answer.content, isError: true});
	});

	test('without what looks like a token', () => {
		const answer = said([{type: 'text', text: 'token=abcdefghijkl is unknown'}], {isError: true});
		const outcome = {kind: 'error', error: {code: 'tool_error', message: ''}} as const;
		expect(callResult({outcome, answer}, redact)).toEqual({
			content: [{type: 'text', text: 'token=‹redacted 12 chars› is unknown'}],
			isError: true,
		});
	});

	test('a link stays a link, with the address of the endpoint and the known members of its _meta', () => {
		const link = {type: 'resource_link', uri: 'note://one', name: 'one', _meta: {'vendor/x': 1}};
		const answer = said([link], {source: {_meta: {ui: {resourceUri: 'ui://a/b'}, 'vendor/x': 1}}});
		const outcome = {kind: 'result', result: 'the text form'} as const;
		expect(callResult({outcome, answer, server: 'files'}, redact)).toEqual({
			content: [{type: 'resource_link', uri: 'sluice://resources/files/note://one', name: 'one'}],
			_meta: {ui: {resourceUri: 'ui://files/a/b'}},
		});
	});

	test('what was understood arrives block by block, and the rest beside it, marked', () => {
		const image = {type: 'image', data: 'aGk=', mimeType: 'image/png'};
		const answer = callContent({content: [image, {type: 'hologram', beams: 3}], structuredContent: null});
		const outcome = {kind: 'result', result: 'the text form'} as const;
		expect(callResult({outcome, answer}, redact).content).toEqual([
			image,
			{type: 'text', text: expect.stringContaining('hologram')},
			{type: 'text', text: expect.stringContaining('null')},
		]);
	});

	test.each([
		{why: 'a text beyond the cap', content: [{type: 'text', text: 'x'.repeat(resultCharacterLimit + 1)}]},
		{why: 'a block of an unknown kind', content: [{type: 'hologram', beams: 3}]},
	])('$why arrives in its text form', ({content}) => {
		const outcome = {kind: 'result', result: 'the text form'} as const;
		expect(callResult({outcome, answer: said(content)}, redact)).toEqual({
			content: [{type: 'text', text: 'the text form'}],
		});
	});
});

describe('a listed tool', () => {
	test('keeps its schemas and its claims, secrets removed', () => {
		const tool = nativeTool(
			serverConfig(),
			definition('read', {
				title: 'Read',
				description: 'Reads with hunter2',
				outputSchema: {type: 'object', properties: {count: {type: 'number'}}},
				annotations: {readOnlyHint: true},
			}),
		);
		expect(listedTool(tool, redact)).toEqual({
			name: 'mcp__files__read',
			title: 'Read',
			description: 'Reads with ***',
			inputSchema: {type: 'object'},
			outputSchema: {type: 'object', properties: {count: {type: 'number'}}},
			annotations: {readOnlyHint: true},
		});
	});

	test('that the protocol would not allow is listed without its schemas', () => {
		const tool = nativeTool(serverConfig(), definition('odd', {inputSchema: {type: 'string'}}));
		expect(listedTool(tool, redact)).toEqual({name: 'mcp__files__odd', inputSchema: {type: 'object'}});
	});
});
