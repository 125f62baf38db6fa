import {describe, expect, test} from 'vitest';
import {type ToolDefinition} from '../../source/mcp/connection.ts';
import {type Origin} from '../../source/state/origin.ts';
import {validateCall} from '../../source/tools/validate-call.ts';
import {approvalRequest, fullCall, payloadPaths} from '../../source/tools/approval-request.ts';
import {createCatalogue} from '../../source/tools/catalogue.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {hashJson} from '../../source/util/json-hash.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {definition, offerOf, serverConfig} from './server-offers.ts';

const {partsOf} = createRedactor();
const notes = {address: 'files-server --token ‹redacted›', definitionChange: undefined, partsOf};

function validated(members: Partial<ToolDefinition> = {}, origin: Origin = {kind: 'command-line'}) {
	const config = serverConfig();
	const catalogue = createCatalogue(() => []);
	catalogue.register(config, {...offerOf(), tools: [definition('write-file', members)]});
	return validateCall(
		{name: 'mcp__files__write_file', arguments: {path: '/a', password: 'x'}, origin},
		{findTool: catalogue.find, findConnection: () => ({config, request: () => Promise.reject(new Error('asleep'))})},
	);
}

describe('an approval card', () => {
	test('shows the whole call', () => {
		const annotations = {title: 'Write', destructiveHint: true, idempotentHint: false};
		expect(approvalRequest(validated({description: 'Writes.', annotations}), notes)).toEqual({
			kind: 'tool-call',
			server: 'files',
			tool: 'write-file',
			registeredName: 'mcp__files__write_file',
			trust: 'untrusted',
			transport: 'stdio',
			address: 'files-server --token ‹redacted›',
			hints: annotations,
			description: 'Writes.',
			arguments: {path: '/a', password: '\uD800redacted 1 chars\uDFFF'},
			sentBytes: 28,
			cutBytes: 0,
			maskedValues: 1,
			markedCharacters: 0,
			argumentsHash: hashJson({path: '/a', password: 'x'}),
			origin: {kind: 'command-line'},
		});
	});

	test('counts what is marked in its name, in what is cut off and in what is masked', () => {
		const call = validated();
		const named = {...call, tool: {...call.tool, tool: 'dеlete'}};
		const args = {path: `${'x'.repeat(5000)} dеlete`, password: 'раss'};
		expect(approvalRequest({...named, arguments: args}, notes)).toMatchObject({
			tool: 'd‹U+0435›lete',
			markedCharacters: 4,
		});
		expect(fullCall({...named, arguments: args}, 'on', notes.partsOf)).toMatchObject({markedCharacters: 4});
		expect(approvalRequest({...call, arguments: {path: 'Überweisung'}}, notes).markedCharacters).toBe(0);
	});

	test('shows how a definition changed', () => {
		const definitionChange = '~ description: "a" → "b"';
		expect(approvalRequest(validated(), {...notes, definitionChange})).toMatchObject({definitionChange});
	});

	test('marks the arguments that outsiders wrote', () => {
		const call = {...validated(), untrusted: 'Write to /a.'};
		expect(approvalRequest(call, notes).payloadPaths).toBeUndefined();
		expect(approvalRequest({...call, arguments: {path: 'to /a'}}, notes)).toMatchObject({payloadPaths: ['path']});
	});

	test('makes the texts of the server safe', () => {
		const card = approvalRequest(validated({description: 'a\u{1B}[2J\nb', annotations: {title: '\u{202E}x'}}), notes);
		expect(card).toMatchObject({description: 'a␛[2J\nb', hints: {title: '‹U+202E›x'}});
	});

	test('takes only booleans for hints', () => {
		const annotations = {readOnlyHint: 'true', destructiveHint: 1, openWorldHint: true, other: true};
		const card = approvalRequest(validated({annotations: annotations as object}), notes);
		expect(card.hints).toEqual({openWorldHint: true});
	});

	test.each<[Origin, Origin]>([
		[
			{kind: 'endpoint', client: 'a\u{1B}'},
			{kind: 'endpoint', client: 'a␛'},
		],
		[
			{kind: 'demo', client: 'a\u{202E}'},
			{kind: 'demo', client: 'a‹U+202E›'},
		],
		[
			{kind: 'run', runId: 'r', route: 'push', deliveryId: 'd\n', job: 'j\n', signature: 's\n'},
			{kind: 'run', runId: 'r', route: 'push', deliveryId: 'd␊', job: 'j␊', signature: 's␊'},
		],
		[{kind: 'dashboard'}, {kind: 'dashboard'}],
	])('makes the origin %j safe', (origin, safe) => {
		expect(approvalRequest(validated({}, origin), notes).origin).toEqual(safe);
	});
});

describe('the paths of values that a payload contains', () => {
	const payload = '{"title":"Line one\\nLine \\"two\\"","number":4711,"labels":["urgent"],"ok":1}\nplain words';

	test.each<[string, JsonObject, readonly string[]]>([
		['a text of it', {title: 'plain words', other: 'mine'}, ['title']],
		['a part of a text', {text: 'lain wor'}, ['text']],
		['a text that JSON writes with escapes', {body: 'Line one\nLine "two"'}, ['body']],
		['a number', {issue: 4711, count: 4712}, ['issue']],
		['values in lists and objects', {labels: ['mine', 'urgent'], a: {b: {c: 'urgent'}}}, ['labels.1', 'a.b.c']],
		['no value that is shorter than three characters', {short: 'on', digit: 1, none: ''}, []],
		['names as the card shows them', {'a\u001B': 'urgent'}, ['a␛']],
		['neither names nor truth values', {urgent: 'x', ok: true, nothing: null}, []],
	])('are those of %s', (_what, args, paths) => {
		expect(payloadPaths(args, payload)).toEqual(paths);
	});

	test('are 200 at most', () => {
		expect(payloadPaths({list: Array<string>(300).fill('urgent')}, payload)).toHaveLength(200);
	});
});
