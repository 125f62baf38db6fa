import {isJsonObject} from '../../source/util/json-text.ts';

/** A tool as a request names it; Codex puts the tools of a server into a namespace. */
export type OfferedTool = {readonly name: string; readonly namespace?: string};

/** The result of a tool, and the id of its call. */
export type ToolResult = {readonly id: string; readonly text: string};

/** The reply of the model. */
export type Turn =
	| {readonly kind: 'words'}
	| {readonly kind: 'call'; readonly id: string; readonly tool: OfferedTool; readonly input: object};

/** The interface of a provider, as far as one call of a tool needs it. */
type Dialect = {
	readonly path: RegExp;
	readonly tools: (body: unknown) => readonly OfferedTool[];
	/** The results of the tools, as texts. */
	readonly results: (body: unknown) => readonly ToolResult[];
	readonly render: (
		turn: Turn,
		request: {readonly body: unknown; readonly path: string},
	) => {readonly type: string; readonly text: string};
};

const words = 'Done.';
const stream = 'text/event-stream';
const json = 'application/json';

const member = (value: unknown, key: string): unknown => (isJsonObject(value) ? value[key] : undefined);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const named = (value: unknown): readonly OfferedTool[] => {
	const name = member(value, 'name');
	return typeof name === 'string' ? [{name}] : [];
};
const event = (data: object, name?: string) =>
	`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const typedEvents = (events: ReadonlyArray<{readonly type: string}>) =>
	events.map(one => event(one, one.type)).join('');

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
const messages: Dialect = {
	path: /\/v1\/messages(?:\?|$)/u,
	tools: body => list(member(body, 'tools')).flatMap(named),
	results: body =>
		list(member(body, 'messages'))
			.flatMap(message => list(member(message, 'content')))
			.filter(block => member(block, 'type') === 'tool_result')
			.map(block => ({id: textOf(member(block, 'tool_use_id')), text: textOf(member(block, 'content'))})),
	render(turn, {body}) {
		const isCall = turn.kind === 'call';
		const block = isCall
			? {type: 'tool_use', id: turn.id, name: turn.tool.name, input: turn.input}
			: {type: 'text', text: words};
		const stop = isCall ? 'tool_use' : 'end_turn';
		const usage = {input_tokens: 10, output_tokens: 10};
		const message = {id: 'msg_1', type: 'message', role: 'assistant', model: member(body, 'model')};
		if (member(body, 'stream') !== true) {
			const whole = {...message, content: [block], stop_reason: stop, stop_sequence: null, usage};
			return {type: json, text: JSON.stringify(whole)};
		}

		const begin = {...message, content: [], stop_reason: null, stop_sequence: null, usage};
		const delta = isCall
			? {type: 'input_json_delta', partial_json: JSON.stringify(turn.input)}
			: {type: 'text_delta', text: words};
		const events = [
			{type: 'message_start', message: begin},
			{type: 'content_block_start', index: 0, content_block: isCall ? {...block, input: {}} : {type: 'text', text: ''}},
			{type: 'content_block_delta', index: 0, delta},
			{type: 'content_block_stop', index: 0},
			{type: 'message_delta', delta: {stop_reason: stop, stop_sequence: null}, usage},
			{type: 'message_stop'},
		];
		return {type: stream, text: typedEvents(events)};
	},
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const responses: Dialect = {
	path: /\/v1\/responses(?:\?|$)/u,
	tools: body =>
		list(member(body, 'tools')).flatMap(tool => {
			const inner = list(member(tool, 'tools')).flatMap(named);
			const namespace = textOf(member(tool, 'name'));
			return inner.length === 0 ? named(tool) : inner.map(({name}) => ({name, namespace}));
		}),
	results: body =>
		list(member(body, 'input'))
			.filter(item => member(item, 'type') === 'function_call_output')
			.map(item => ({id: textOf(member(item, 'call_id')), text: textOf(member(item, 'output'))})),
	render(turn, {body}) {
		const item =
			turn.kind === 'call'
				? {
						type: 'function_call',
						id: 'fc_1',
						call_id: turn.id,
						...turn.tool,
						arguments: JSON.stringify(turn.input),
						status: 'completed',
					}
				: {
						type: 'message',
						id: 'msg_1',
						role: 'assistant',
						status: 'completed',
						content: [{type: 'output_text', text: words, annotations: []}],
					};
		const usage = {
			input_tokens: 10,
			input_tokens_details: {cached_tokens: 0},
			output_tokens: 10,
			output_tokens_details: {reasoning_tokens: 0},
			total_tokens: 20,
		};
		const response = {id: 'resp_1', object: 'response', created_at: 0, model: member(body, 'model')};
		const events = [
			{type: 'response.created', response: {...response, status: 'in_progress', output: []}},
			{type: 'response.output_item.added', output_index: 0, item},
			{type: 'response.output_item.done', output_index: 0, item},
			{type: 'response.completed', response: {...response, status: 'completed', output: [item], usage}},
		];
		return {type: stream, text: typedEvents(events)};
	},
};

/** https://platform.openai.com/docs/api-reference/chat-streaming */
const chat: Dialect = {
	path: /\/chat\/completions(?:\?|$)/u,
	tools: body => list(member(body, 'tools')).flatMap(tool => named(member(tool, 'function'))),
	results: body =>
		list(member(body, 'messages'))
			.filter(message => member(message, 'role') === 'tool')
			.map(message => ({id: textOf(member(message, 'tool_call_id')), text: textOf(member(message, 'content'))})),
	render(turn, {body}) {
		const call = turn.kind === 'call' && {
			index: 0,
			id: turn.id,
			type: 'function',
			function: {name: turn.tool.name, arguments: JSON.stringify(turn.input)},
		};
		const message = call ? {role: 'assistant', content: null, tool_calls: [call]} : {role: 'assistant', content: words};
		const reason = call ? 'tool_calls' : 'stop';
		const usage = {prompt_tokens: 10, completion_tokens: 10, total_tokens: 20};
		const head = {id: 'chat_1', created: 0, model: member(body, 'model')};
		if (member(body, 'stream') !== true) {
			const choices = [{index: 0, message, finish_reason: reason}];
			return {type: json, text: JSON.stringify({...head, object: 'chat.completion', choices, usage})};
		}

		const chunk = (choice: object) => ({...head, object: 'chat.completion.chunk', choices: [{index: 0, ...choice}]});
		const events = [chunk({delta: message}), {...chunk({delta: {}, finish_reason: reason}), usage}];
		return {type: stream, text: `${events.map(one => event(one)).join('')}data: [DONE]\n\n`};
	},
};

/** https://ai.google.dev/api/generate-content */
const gemini: Dialect = {
	path: /:(?:stream)?generateContent/iu,
	tools: body =>
		list(member(body, 'tools'))
			.flatMap(tool => list(member(tool, 'functionDeclarations')))
			.flatMap(named),
	results: body =>
		list(member(body, 'contents'))
			.flatMap(content => list(member(content, 'parts')))
			.map(part => member(part, 'functionResponse'))
			.filter(response => response !== undefined)
			.map(response => ({id: textOf(member(response, 'id') ?? ''), text: textOf(member(response, 'response'))})),
	render(turn, {path}) {
		const part =
			turn.kind === 'call' ? {functionCall: {id: turn.id, name: turn.tool.name, args: turn.input}} : {text: words};
		const whole = {
			candidates: [{content: {role: 'model', parts: [part]}, finishReason: 'STOP', index: 0}],
			usageMetadata: {promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20},
		};
		return /alt=sse/u.test(path) ? {type: stream, text: event(whole)} : {type: json, text: JSON.stringify(whole)};
	},
};

/** The interface of a path; undefined: the provider has none there. */
export function dialectOf(path: string): Dialect | undefined {
	return [messages, responses, chat, gemini].find(dialect => dialect.path.test(path));
}
