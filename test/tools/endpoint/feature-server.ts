import {type CallContent, type Connection, type ServerRequest} from '../../../source/mcp/connection.ts';
import {Problem} from '../../../source/util/problem.ts';
import {type JsonObject, type JsonValue} from '../../../source/util/json-text.ts';
import {offerOf} from '../server-offers.ts';
import {openEndpoint} from './endpoint-fixture.ts';

/** The lists of a server that answers from memory, and what it was asked. */
export type FeatureServer = {
	readonly asked: ServerRequest[];
	resources: JsonValue[];
	templates: JsonValue[];
	prompts: JsonValue[];
	messages: JsonValue[];
};

/** Opens one. Resources that end with `missing` are refused with an error of the protocol. */
function openFeatureServer(lists: Partial<FeatureServer> = {}) {
	const server: FeatureServer = {
		asked: [],
		resources: [
			{uri: 'note://one', name: 'one', title: 'One', annotations: {audience: ['user'], priority: 1}, size: 3},
			{uri: 'file:///C:/a b/../ü?x=%2F#y', name: 'odd'},
		],
		templates: [{uriTemplate: 'note://{id}/{+path}{?q*}', name: 'notes', icons: [{src: 'data:image/png;base64,'}]}],
		prompts: [{name: 'greet-someone', title: 'Greet', arguments: [{name: 'who', required: true}]}],
		messages: [{role: 'user', content: {type: 'resource_link', uri: 'note://one', name: 'one'}}],
		...lists,
	};
	const respond: Connection['request'] = async request => {
		server.asked.push(request);
		return answerTo(request, server);
	};
	return {server, respond};
}

function answerTo(request: ServerRequest, {resources, templates, prompts, messages}: FeatureServer): CallContent {
	switch (request.kind) {
		case 'list-resources':
			return listing({resources});
		case 'list-resource-templates':
			return listing({resourceTemplates: templates});
		case 'list-prompts':
			return listing({prompts});
		case 'read-resource':
			return read(request.uri);
		case 'get-prompt':
			return listing({description: 'Greets', messages});
		case 'complete':
			return listing({completion: {values: ['Ada', 'Alan'], total: 2, hasMore: false}});
		case 'tool':
		case 'subscribe-resource':
		case 'unsubscribe-resource':
			return {content: [], isError: false};
	}
}

function read(uri: string): CallContent {
	if (uri.endsWith('missing')) {
		const rpcError = {code: -32_602, message: 'There is no hunter2', data: {uri, hint: 'hunter2'}};
		throw new Problem('call_failed', {message: 'refused', rpcError});
	}

	const meta = {ui: {prefersBorder: true}, 'vendor/secret': 1};
	return {content: [{type: 'resource', resource: {uri, text: `text of ${uri}`, _meta: meta}}], isError: false};
}

function listing(source: JsonObject): CallContent {
	return {content: [{type: 'text', text: JSON.stringify(source)}], source, isError: false};
}

/** An endpoint in front of a server with resources and prompts. */
export async function openFeatures(
	options: {readonly lists?: Partial<FeatureServer>} & Parameters<typeof openEndpoint>[0] = {},
) {
	const {lists, ...others} = options;
	const {server, respond} = openFeatureServer(lists);
	const endpoint = await openEndpoint({respond, ...others});
	endpoint.catalogue.register(endpoint.config, {...offerOf('read'), resources: true, prompts: true});
	return {...endpoint, server};
}
