import {describe, expect, test} from 'vitest';
import {mayBringCall, readPlainCall} from '../../../source/tools/endpoint/plain-call.ts';
import {endpointLimits} from '../../../source/tools/endpoint/limits.ts';

const headers = {
	accept: 'application/json, text/event-stream',
	'content-type': 'application/json',
	'content-length': '120',
};
const statelessHeaders = {
	...headers,
	'mcp-protocol-version': '2026-07-28',
	'mcp-method': 'tools/call',
	'mcp-name': 'mcp__files__read',
};
const call = {
	jsonrpc: '2.0',
	id: 7,
	method: 'tools/call',
	params: {name: 'mcp__files__read', arguments: {path: 'notes.txt'}},
};
const envelope = {
	'io.modelcontextprotocol/protocolVersion': '2026-07-28',
	'io.modelcontextprotocol/clientInfo': {name: 'an agent', version: '1.0.0'},
	'io.modelcontextprotocol/clientCapabilities': {},
};
const withParams = (more: object) => ({...call, params: {...call.params, ...more}});

describe('the head of a request that can bring a call', () => {
	test.each([
		{why: 'of a session', head: headers, session: 'known', can: true},
		{why: 'of the stateless era', head: statelessHeaders, session: 'none', can: true},
		{why: 'of no session and no method', head: headers, session: 'none', can: false},
		{why: 'of another method', head: {...statelessHeaders, 'mcp-method': 'tools/list'}, session: 'none', can: false},
		{why: 'without a declared length', head: {...headers, 'content-length': undefined}, session: 'known', can: false},
		{
			why: 'beyond the limit',
			head: {...headers, 'content-length': `${endpointLimits.bodyBytes + 1}`},
			session: 'known',
			can: false,
		},
		{why: 'that takes no stream', head: {...headers, accept: 'application/json'}, session: 'known', can: false},
		{why: 'that takes no JSON', head: {...headers, accept: 'text/event-stream'}, session: 'known', can: false},
		{why: 'of another type', head: {...headers, 'content-type': 'text/plain'}, session: 'known', can: false},
	] as const)('$why: $can', ({head, session, can}) => {
		expect(mayBringCall({method: 'POST', headers: head}, session)).toBe(can);
	});

	test('is that of a POST', () => {
		expect(mayBringCall({method: 'GET', headers}, 'known')).toBe(false);
	});
});

describe('a plain call', () => {
	test.each([
		{why: 'of a session', message: call, expected: {arguments: {path: 'notes.txt'}, progressToken: undefined}},
		{why: 'without arguments', message: withParams({arguments: undefined}), expected: {arguments: undefined}},
		{why: 'that asks for progress', message: withParams({_meta: {progressToken: 'a'}}), expected: {progressToken: 'a'}},
		{why: 'with notes of its client', message: withParams({_meta: {'example/note': {a: 1}}}), expected: {}},
		{why: 'whose id is a text', message: {...call, id: ''}, expected: {id: ''}},
	])('$why', ({message, expected}) => {
		const plain = readPlainCall(message, {headers, session: 'known'});
		expect(plain).toMatchObject({id: 7, name: 'mcp__files__read', era: 'handshake', ...expected});
	});

	test('of the stateless era', () => {
		const plain = readPlainCall(withParams({_meta: envelope}), {headers: statelessHeaders, session: 'none'});
		expect(plain).toMatchObject({name: 'mcp__files__read', client: 'an agent', era: 'stateless'});
	});
});

describe('what the SDK answers or refuses', () => {
	test.each([
		{why: 'another method', message: {...call, method: 'tools/list'}},
		{why: 'a notification', message: {jsonrpc: '2.0', method: 'tools/call', params: call.params}},
		{why: 'a batch', message: [call]},
		{why: 'no JSON-RPC', message: {...call, jsonrpc: '1.0'}},
		{why: 'an id that is none', message: {...call, id: null}},
		{why: 'an id with a fraction', message: {...call, id: 1.5}},
		{why: 'a member that is not known', message: {...call, extra: true}},
		{why: 'a parameter that is not known', message: withParams({task: {ttl: 1}})},
		{why: 'arguments that are no object', message: withParams({arguments: ['notes.txt']})},
		{why: 'a name that is no text', message: withParams({name: 7})},
		{why: 'a progress token that is none', message: withParams({_meta: {progressToken: {}}})},
		{
			why: 'a task',
			message: withParams({_meta: {'io.modelcontextprotocol/related-task': {taskId: 'one'}}}),
		},
		{why: 'notes that are no object', message: withParams({_meta: 'notes'})},
		{why: 'an envelope in a session, without its head', message: withParams({_meta: envelope})},
	])('$why', ({message}) => {
		expect(readPlainCall(message, {headers, session: 'known'})).toBeUndefined();
	});

	test.each([
		{why: 'a session that is not known', head: headers, session: 'none'},
		{why: 'a version of the other era', head: {...headers, 'mcp-protocol-version': '2026-07-28'}, session: 'known'},
		{why: 'a version that nobody knows', head: {...headers, 'mcp-protocol-version': '1999-01-01'}, session: 'known'},
	] as const)('a call with $why', ({head, session}) => {
		expect(readPlainCall(call, {headers: head, session})).toBeUndefined();
	});

	test.each([
		{why: 'without the version in its head', head: {'mcp-protocol-version': undefined}},
		{why: 'with another version in its head', head: {'mcp-protocol-version': '2025-11-25'}},
		{why: 'with another tool in its head', head: {'mcp-name': 'mcp__files__write'}},
		{why: 'with another method in its head', head: {'mcp-method': 'tools/list'}},
		{why: 'with an incomplete envelope', head: {}, meta: {'io.modelcontextprotocol/clientCapabilities': undefined}},
		{why: 'with a malformed envelope', head: {}, meta: {'io.modelcontextprotocol/clientCapabilities': 'all'}},
		{
			why: 'with another version in its envelope',
			head: {},
			meta: {'io.modelcontextprotocol/protocolVersion': '2030-01-01'},
		},
	])('a stateless call $why', ({head, meta}) => {
		const message = withParams({_meta: JSON.parse(JSON.stringify({...envelope, ...meta}))});
		expect(readPlainCall(message, {headers: {...statelessHeaders, ...head}, session: 'none'})).toBeUndefined();
	});
});
