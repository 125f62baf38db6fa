import {describe, expect, test} from 'vitest';
import {parseEndpointClients} from '../../../source/config/read/endpoint-clients.ts';
import {sectionWithoutFile} from '../../../source/config/values/section.ts';

function read(written: unknown) {
	const section = sectionWithoutFile('config.yaml');
	return parseEndpointClients(written, section);
}

test('clients are read by their names', () => {
	const clients = {
		default: false,
		laptop: {token: '${LAPTOP}', elicitation: 'yes'},
		reviewer: {
			token: '${REVIEWER}',
			tools: {include: 'github/get_*', exclude: ['github/get_secret']},
			permission_prompt: true,
		},
	};
	const reading = read(clients);
	expect(reading.kind === 'read' && Object.fromEntries(reading.clients)).toEqual({
		default: {kind: 'off'},
		laptop: {kind: 'on', token: '${LAPTOP}', tools: {exclude: []}, permissionPrompt: 'off', elicitation: 'asked'},
		reviewer: {
			kind: 'on',
			token: '${REVIEWER}',
			tools: {include: ['github/get_*'], exclude: ['github/get_secret']},
			permissionPrompt: 'offered',
			elicitation: 'at-a-console',
		},
	});
});

test('without the section there is the one of the endpoint', () => {
	const clients = new Map([
		[
			'default',
			{kind: 'on', token: undefined, tools: {exclude: []}, permissionPrompt: 'off', elicitation: 'at-a-console'},
		],
	]);
	expect(read(undefined)).toEqual({kind: 'read', clients});
});

describe('a mistake anywhere admits nobody', () => {
	test.each([
		['a list', ['laptop'], 'mapping of names to clients'],
		['a client that is false', {laptop: false}, 'Only the client `default` may be false'],
		['a client that is true', {laptop: true}, 'laptop'],
		['a client without a token', {laptop: {}}, 'A client needs a token'],
		['an empty token', {laptop: {token: ''}}, 'A client needs a token'],
		['no yes or no', {laptop: {token: 'a', elicitation: 'perhaps'}}, 'elicitation'],
		['a misspelled filter', {laptop: {token: 'a', tool: {include: []}}}, 'did you mean "tools"'],
		['a misspelled key of a filter', {laptop: {token: 'a', tools: {only: []}}}, '"only" is not a known key'],
		['a name with a blank', {'my laptop': {token: 'a'}}, 'named by letters, digits'],
		['an empty name', {'': {token: 'a'}}, 'named by letters, digits'],
		['a name of 65 characters', {['a'.repeat(65)]: {token: 'a'}}, 'named by letters, digits'],
		['__proto__', JSON.parse('{"__proto__": {"token": "a"}}') as unknown, '__proto__'],
	])('%s', (_, written, reason) => {
		expect(read(written)).toEqual({kind: 'broken', reason: expect.stringContaining(reason)});
	});
});
