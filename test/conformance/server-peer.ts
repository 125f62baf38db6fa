/* The server behind the gateway in the server scenarios of the suite, over stdio: the tools, resources and prompts they name. */
import {setTimeout as sleep} from 'node:timers/promises';
import {completable, McpServer, ResourceTemplate} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQAAAAA=';

const text = {type: 'text', text: 'This is a simple text response for testing.'} as const;
const image = {type: 'image', data: png, mimeType: 'image/png'} as const;
const resource = {
	type: 'resource',
	resource: {uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.'},
} as const;

let added = 0;

const answers = {
	test_simple_text: {content: [text]},
	test_image_content: {content: [image]},
	test_audio_content: {content: [{type: 'audio', data: wav, mimeType: 'audio/wav'} as const]},
	test_embedded_resource: {content: [resource]},
	test_multiple_content_types: {content: [{...text, text: 'Multiple content types test:'}, image, resource]},
	test_error_handling: {
		content: [{...text, text: 'This tool intentionally returns an error for testing'}],
		isError: true,
	},
};

serveStdio(() => {
	const server = new McpServer(
		{name: 'peer', version: '1.0.0'},
		{
			capabilities: {
				tools: {listChanged: true},
				resources: {subscribe: true, listChanged: true},
				prompts: {listChanged: true},
			},
			instructions: 'Answers the scenarios of the suite.',
		},
	);
	for (const [name, answer] of Object.entries(answers)) {
		server.registerTool(name, {description: `Answers for ${name}`, inputSchema: z.object({})}, () => answer);
	}

	server.registerTool(
		'test_tool_with_progress',
		{description: 'Tells of progress', inputSchema: z.object({})},
		async (_, {mcpReq}) => {
			const progressToken = mcpReq._meta?.progressToken;
			for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
				await mcpReq.notify({
					method: 'notifications/progress',
					params: {progressToken: progressToken ?? '', progress, total: 100},
				});
			}

			// The client library forgets progress that arrives together with the answer.
			await sleep(50);
			return {content: [text]};
		},
	);
	addResources(server);
	addPrompts(server);
	server.registerTool('touch', {description: 'Changes a resource', inputSchema: z.object({})}, async () => {
		await server.server.sendResourceUpdated({uri: 'test://watched-resource'});
		return {content: [{type: 'resource_link', uri: 'test://watched-resource', name: 'watched'}]};
	});
	server.registerTool('test_trigger_tool_change', {description: 'Adds a tool', inputSchema: z.object({})}, () => {
		const name = `added_${++added}`;
		server.registerTool(name, {description: 'Was added', inputSchema: z.object({})}, () => ({content: [text]}));
		return {content: [text]};
	});
	server.registerTool('test_trigger_prompt_change', {description: 'Adds a prompt', inputSchema: z.object({})}, () => {
		server.registerPrompt(`added_${++added}`, {}, () => ({messages: [{role: 'user', content: text}]}));
		return {content: [text]};
	});
	server.registerTool('grow', {description: 'Adds a resource and a prompt', inputSchema: z.object({})}, () => {
		server.registerResource('grown', 'test://grown', {}, uri => ({contents: [{uri: uri.href, text: 'grown'}]}));
		server.registerPrompt('grown', {}, () => ({messages: [{role: 'user', content: text}]}));
		return {content: [text]};
	});
	server.registerTool(
		'clock',
		{
			description: 'Shows a clock',
			inputSchema: z.object({}),
			icons: [{src: 'https://example.test/clock.png'}],
			_meta: {ui: {resourceUri: 'ui://clock/face.html'}, 'vendor/private': true},
		},
		() => ({content: [text], _meta: {'vendor/private': true}}),
	);
	return server;
});

function addResources(server: McpServer): void {
	const plain = 'This is the content of the static text resource.';
	server.registerResource('static-text', 'test://static-text', {mimeType: 'text/plain'}, ({href: uri}) => ({
		contents: [{uri, mimeType: 'text/plain', text: plain}],
	}));
	server.registerResource('static-binary', 'test://static-binary', {mimeType: 'image/png'}, ({href: uri}) => ({
		contents: [{uri, mimeType: 'image/png', blob: png}],
	}));
	server.registerResource('watched', 'test://watched-resource', {mimeType: 'text/plain'}, ({href: uri}) => ({
		contents: [{uri, mimeType: 'text/plain', text: 'watched'}],
	}));
	server.registerResource('clock', 'ui://clock/face.html', {mimeType: 'text/html;profile=mcp-app'}, ({href: uri}) => ({
		contents: [{uri, mimeType: 'text/html;profile=mcp-app', text: '<p>12:00</p>'}],
	}));
	const template = new ResourceTemplate('test://template/{id}/data', {
		list: undefined,
		complete: {id: value => ['123', '124', '200'].filter(id => id.startsWith(value))},
	});
	server.registerResource('template', template, {mimeType: 'application/json'}, ({href: uri}, {id}) => ({
		contents: [{uri, mimeType: 'application/json', text: JSON.stringify({id, templateTest: true})}],
	}));
	server.server.setRequestHandler('resources/subscribe', () => ({}));
	server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function addPrompts(server: McpServer): void {
	server.registerPrompt('test_simple_prompt', {description: 'A simple prompt'}, () => ({
		messages: [{role: 'user', content: {type: 'text', text: 'This is a simple prompt for testing.'}}],
	}));
	const words = completable(z.string(), value => ['paris', 'park', 'party'].filter(word => word.startsWith(value)));
	server.registerPrompt(
		'test_prompt_with_arguments',
		{description: 'A prompt with arguments', argsSchema: z.object({arg1: words, arg2: z.string()})},
		({arg1, arg2}) => ({
			messages: [
				{role: 'user', content: {type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`}},
			],
		}),
	);
	server.registerPrompt(
		'test_prompt_with_embedded_resource',
		{description: 'A prompt with a resource', argsSchema: z.object({resourceUri: z.string()})},
		({resourceUri: uri}) => ({
			messages: [
				{role: 'user', content: {...resource, resource: {...resource.resource, uri}}},
				{role: 'user', content: {type: 'text', text: 'Please process the embedded resource above.'}},
			],
		}),
	);
	server.registerPrompt('test_prompt_with_image', {description: 'A prompt with an image'}, () => ({
		messages: [
			{role: 'user', content: image},
			{role: 'user', content: {type: 'text', text: 'Please analyze the image above.'}},
		],
	}));
}
