import {describe, expect, test} from 'vitest';
import {type JsonObject} from '../../source/util/json-text.ts';
import {readToolOf, utilityTools} from '../../source/tools/utility-tools.ts';

const everything = {resources: true, prompts: true};
const nothing = {resources: false, prompts: false};

function toolNamed(name: string) {
	const tool = utilityTools(everything, everything).find(tool => tool.definition.name === name);
	expect(tool).toBeDefined();
	return tool!;
}

describe('which utility tools there are (rule 5)', () => {
	test.each([
		[
			'both allowed, both offered',
			everything,
			everything,
			['list_resources', 'read_resource', 'list_prompts', 'get_prompt'],
		],
		['both allowed, none offered', everything, nothing, []],
		['both offered, none allowed', nothing, everything, []],
		['resources alone', {resources: true, prompts: false}, everything, ['list_resources', 'read_resource']],
		['prompts alone', everything, {resources: false, prompts: true}, ['list_prompts', 'get_prompt']],
	])('with %s', (...[, policy, offer, names]) => {
		expect(utilityTools(policy, offer).map(tool => tool.definition.name)).toEqual(names);
	});
});

describe('every utility tool', () => {
	test.each(utilityTools(everything, everything).map(tool => [tool.definition.name, tool] as const))(
		'%s says that it only reads, and takes an object',
		(_, tool) => {
			expect(tool.definition).toMatchObject({annotations: {readOnlyHint: true}, inputSchema: {type: 'object'}});
		},
	);
});

describe('the request', () => {
	test.each<[string, JsonObject, object]>([
		['list_resources', {}, {kind: 'list-resources'}],
		['read_resource', {uri: 'file:///a'}, {kind: 'read-resource', uri: 'file:///a'}],
		['list_resources', {templates: true}, {kind: 'list-resource-templates'}],
		['read_resource', {uri: 'x:1', subscribe: true}, {kind: 'subscribe-resource', uri: 'x:1'}],
		['read_resource', {uri: 'x:1', subscribe: false}, {kind: 'unsubscribe-resource', uri: 'x:1'}],
		[
			'read_resource',
			{uri: 'x:{id}', complete: {name: 'id', value: '1'}},
			{kind: 'complete', params: {ref: {type: 'ref/resource', uri: 'x:{id}'}, argument: {name: 'id', value: '1'}}},
		],
		['list_prompts', {}, {kind: 'list-prompts'}],
		[
			'get_prompt',
			{name: 'p', arguments: {a: 'b'}, complete: {name: 'c', value: ''}},
			{
				kind: 'complete',
				params: {
					ref: {type: 'ref/prompt', name: 'p'},
					argument: {name: 'c', value: ''},
					context: {arguments: {a: 'b'}},
				},
			},
		],
		['get_prompt', {name: 'p'}, {kind: 'get-prompt', name: 'p', arguments: {}}],
		['get_prompt', {name: 'p', arguments: {a: 'b'}}, {kind: 'get-prompt', name: 'p', arguments: {a: 'b'}}],
		[
			'get_prompt',
			{name: 'p', arguments: {a: 1.5, b: true}},
			{kind: 'get-prompt', name: 'p', arguments: {a: '1.5', b: 'true'}},
		],
	])('of %s with %j', (name, args, request) => {
		expect(toolNamed(name).toRequest(args)).toEqual(request);
	});

	test.each<[string, JsonObject]>([
		['read_resource', {}],
		['read_resource', {uri: 7}],
		['read_resource', {uri: 'x:1', subscribe: 'yes'}],
		['read_resource', {uri: 'x:1', complete: {name: 'id', value: '1', more: 1}}],
		['list_resources', {templates: 'yes'}],
		['get_prompt', {}],
		['get_prompt', {name: 'p', arguments: {a: null}}],
		['get_prompt', {name: 'p', arguments: {a: {}}}],
		['get_prompt', {name: 'p', arguments: 'a'}],
	])('of %s refuses %j', (name, args) => {
		expect(() => toolNamed(name).toRequest(args)).toThrow(expect.objectContaining({code: 'invalid_arguments'}));
	});
});

describe('the tool that reads resources', () => {
	const name = 'mcp__files__read_resource';

	test.each([
		['is named when it is registered', {server: 'files', kind: 'utility'}, name],
		['is none when nothing is registered', undefined, undefined],
		['is none when a native tool has its name', {server: 'files', kind: 'native'}, undefined],
		['is none when the tool of another server has its name', {server: 'fi-les', kind: 'utility'}, undefined],
	])('%s', (_, tool, expected) => {
		expect(readToolOf('files', asked => (asked === name ? tool : undefined))).toBe(expected);
	});
});
