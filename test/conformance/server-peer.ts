/* The tool server behind the gateway in the server scenarios of the suite, over stdio: the tools they name. */
import {setTimeout as sleep} from 'node:timers/promises';
import {McpServer} from '@modelcontextprotocol/server';
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
	const server = new McpServer({name: 'peer', version: '1.0.0'});
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
	return server;
});
