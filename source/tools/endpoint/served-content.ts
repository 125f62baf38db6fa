import {passedMeta} from '../../mcp/protocol/passed-meta.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {cutMiddle} from '../cut-middle.ts';
import {resultCharacterLimit} from '../tool-result.ts';
import {servedUri} from './served-uri.ts';

/** A content block of a server as the endpoint passes it on: the addresses of resources are those of the endpoint, and of `_meta` only known members stay. */
export function servedBlock(block: JsonObject, server: string): JsonObject {
	const {type, resource} = block;
	if (type === 'resource_link') {
		return servedEntry(block, server);
	}

	const isEmbedded = type === 'resource' && isJsonObject(resource);
	return withMeta(isEmbedded ? {...block, resource: servedEntry(resource, server)} : block, server);
}

/** A resource, a link to one or a template likewise. */
export function servedEntry(entry: JsonObject, server: string): JsonObject {
	const {uri, uriTemplate} = entry;
	return withMeta(
		{
			...entry,
			...(typeof uri === 'string' && {uri: servedUri({server, uri})}),
			...(typeof uriTemplate === 'string' && {uriTemplate: servedUri({server, uri: uriTemplate})}),
		},
		server,
	);
}

/** The contents of a resource; texts beyond the limit are cut (docs/connections.md, Results). */
export function servedContents(contents: JsonObject, server: string): JsonObject {
	const entry = servedEntry(contents, server);
	const {text} = entry;
	return typeof text === 'string' ? {...entry, text: cutMiddle(text, resultCharacterLimit)} : entry;
}

/** The members of a `_meta` that are passed on; an address of a user interface in them is that of the endpoint. */
export function servedMeta(meta: JsonValue | undefined, server: string): {readonly _meta?: JsonObject} {
	const passed = passedMeta(meta);
	if (!passed) {
		return {};
	}

	const {ui, 'ui/resourceUri': flat} = passed;
	return {
		_meta: {
			...passed,
			...(isJsonObject(ui) && {ui: {...ui, ...servedMember(ui, 'resourceUri', server)}}),
			...(flat !== undefined && servedMember(passed, 'ui/resourceUri', server)),
		},
	};
}

function servedMember(object: JsonObject, name: string, server: string): JsonObject {
	const uri = object[name];
	return typeof uri === 'string' ? {[name]: servedUri({server, uri})} : {};
}

function withMeta(value: JsonObject, server: string): JsonObject {
	const {_meta: meta, ...others} = value;
	return meta === undefined ? value : {...others, ...servedMeta(meta, server)};
}
