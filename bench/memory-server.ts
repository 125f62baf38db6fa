/*
The stdio server of `npm run bench:memory`, without a library. `tools`: 3,000 tools with schemas as large servers have them; a call of the first
one changes the last definition and tells that the list has changed. `logs`: one tool; a call of it sends 20,000 log notifications first.
*/
import {createInterface} from 'node:readline';
import * as z from 'zod';

const messageSchema = z.object({
	id: z.number().optional(),
	method: z.string(),
	params: z.looseObject({protocolVersion: z.string(), name: z.string()}).partial().optional(),
});

type Message = z.infer<typeof messageSchema>;

const toolCount = 3000;
const logCount = 20_000;
const kind = process.argv[2] === 'logs' ? 'logs' : 'tools';
let changes = 0;

const send = (message: object) => process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);

/** Two kilobytes, as the servers of large services define theirs. */
function tool(index: number, description: string): object {
	const subject = ['invoice', 'customer', 'subscription', 'shipment', 'ticket', 'deployment'][index % 6] ?? '';
	const text = (words: string) => ({type: 'string', description: `${words} of the ${subject} (${index}).`});
	return {
		name: `${['list', 'get', 'create', 'update', 'search'][index % 5]}_${subject}_${index}`,
		title: `Work with one ${subject}, number ${index}`,
		description,
		inputSchema: {
			$schema: 'http://json-schema.org/draft-07/schema#',
			type: 'object',
			properties: {
				id: {...text('The identifier as the list returns it'), pattern: '^[a-z]{2,4}_[A-Za-z0-9]{8,32}$'},
				name: {...text('The name that people see'), minLength: 1, maxLength: 200},
				status: {...text('The state to look for, or to set'), enum: ['draft', 'open', 'paid', 'void', 'late']},
				limit: {type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many are returned at most.'},
				created: {
					type: 'object',
					properties: {
						after: {...text('Only what was created later'), format: 'date-time'},
						before: {...text('Only what was created earlier'), format: 'date-time'},
					},
					additionalProperties: false,
				},
				lines: {
					type: 'array',
					items: {
						type: 'object',
						properties: {amount: {type: 'number'}, currency: {type: 'string'}, text: text('What is on the line')},
						required: ['amount', 'currency'],
					},
				},
				contact: {anyOf: [{type: 'null'}, {type: 'object', properties: {email: {...text('Where'), format: 'email'}}}]},
			},
			required: ['id'],
			additionalProperties: false,
		},
		annotations: {readOnlyHint: true, openWorldHint: true},
	};
}

function tools(): object[] {
	const words = 'Returns what the service knows about it. Use the search first if the identifier is not known. '.repeat(
		4,
	);
	return kind === 'logs'
		? [tool(0, words)]
		: Array.from({length: toolCount}, (_, index) =>
				tool(index, index === toolCount - 1 ? `${words} ${changes}` : words),
			);
}

function call(): object {
	if (kind === 'tools') {
		changes++;
		send({method: 'notifications/tools/list_changed'});
	} else {
		for (let count = 0; count < logCount; count++) {
			const data = {
				event: 'request',
				number: count,
				url: `https://service.example/v1/items/${count}`,
				took: count % 900,
			};
			send({method: 'notifications/message', params: {level: 'info', logger: 'http', data}});
		}
	}

	return {content: [{type: 'text', text: 'done'}]};
}

function resultOf({method, params}: Message): object {
	switch (method) {
		case 'initialize':
			return {
				protocolVersion: params?.protocolVersion,
				capabilities: {tools: {listChanged: true}, logging: {}},
				serverInfo: {name: kind, version: '1.0.0'},
			};
		case 'tools/list':
			return {tools: tools()};
		case 'tools/call':
			return params?.name === 'list_invoice_0' ? call() : {content: [{type: 'text', text: 'An answer. '.repeat(100)}]};
		default:
			return {};
	}
}

createInterface({input: process.stdin}).on('line', line => {
	const message = messageSchema.parse(JSON.parse(line));
	if (message.id !== undefined) {
		send({id: message.id, result: resultOf(message)});
	}
});
