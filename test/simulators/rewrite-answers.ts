import {type ServerResponse} from 'node:http';
import {isJsonObject, type JsonObject, parseJson} from '../../source/util/json-text.ts';
import {type AuthorizationServerFixture} from './authorization-server.ts';

/** An answer as another authorization server would give it. */
export type OtherAnswer = {
	readonly status?: number;
	readonly contentType?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** An object is sent as JSON. */
	readonly body: JsonObject | string;
};

/** Has the real answers to requests for `path` sent in another form. Undefined: as they are. */
export function rewriteAnswers(
	authorization: Pick<AuthorizationServerFixture, 'intercept'>,
	path: string,
	change: (body: JsonObject, status: number) => OtherAnswer | undefined,
): void {
	authorization.intercept((request, response) => {
		if (request.path === path) {
			rewriteEnd(response, change);
		}

		return 'pass';
	});
}

function rewriteEnd(response: ServerResponse, change: Parameters<typeof rewriteAnswers>[2]): void {
	const end = response.end.bind(response);
	const endWith = (text: unknown) => {
		const body = parseJson(String(text));
		const other = change(isJsonObject(body) ? body : {}, response.statusCode);
		if (!other) {
			return end(text);
		}

		const sent = typeof other.body === 'string' ? other.body : JSON.stringify(other.body);
		response.statusCode = other.status ?? response.statusCode;
		response.setHeader('content-type', other.contentType ?? 'application/json');
		response.setHeader('content-length', Buffer.byteLength(sent));
		Object.entries(other.headers ?? {}).forEach(([name, value]) => response.setHeader(name, value));
		return end(sent);
	};
	Object.assign(response, {end: endWith});
}
