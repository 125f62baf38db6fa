import {type allPlatforms} from './all-platforms.ts';
import {type PlatformSimulator, type ToldTrouble} from './platform-simulator.ts';
import {type WrittenRequest} from './send-by-hand.ts';

/** A message of a person, and the platform's reply to a wrong one. */
export type PlatformRow = {
	readonly name: keyof typeof allPlatforms;
	/** A right request; `key` is the repeat key where the platform knows one, `thread` the simulator's own. */
	readonly write: (simulator: KnownSimulator, message: HandMessage) => WrittenRequest;
	/** The same request with a wrong token, and with a wrong body. */
	readonly spoil: {
		readonly token: (right: WrittenRequest) => WrittenRequest;
		readonly body: (right: WrittenRequest) => WrittenRequest;
	};
	/** Answers, in part: to a wrong token, method, body, and to planned troubles (a wait of 7 s). */
	readonly answers: Readonly<Record<'token' | 'method' | 'body' | ToldTrouble['kind'], PartialAnswer>>;
	/** The longest text that is taken; one unit more is refused. */
	readonly longest?: string;
	/** A second request with the same key: the same message, or the last one stays, or it is refused. */
	readonly repeat?: 'same' | 'replaced' | 'refused';
};

/** A simulator whose settings are known, as they are to the person who writes a request by hand. */
export type KnownSimulator = Pick<PlatformSimulator, 'extra'> & {
	readonly settings: Readonly<Record<StringSetting, string>> & {readonly agent_id: number};
};
type StringSetting =
	| 'token'
	| 'account'
	| 'account_sid'
	| 'auth_token'
	| 'from'
	| 'phone_number_id'
	| 'webhook_url'
	| 'secret'
	| 'routing_key'
	| 'password';

export type HandMessage = {
	readonly chat: string;
	readonly text: string;
	readonly key?: string;
	readonly thread?: string;
};
type PartialAnswer = {
	readonly status: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
};

const json = {'content-type': 'application/json'};
/** A text of two UTF-16 units, one code point and four bytes each. */
export const emoji = (count: number) => '😀'.repeat(count);

/** A POST with a JSON body. */
export const post = (path: string, headers: Record<string, string>, body: unknown): WrittenRequest => ({
	method: 'POST',
	path,
	headers: {...json, ...headers},
	body: JSON.stringify(body),
});
/** The header most platforms want. */
export const bearer = (token: string) => ({authorization: `Bearer ${token}`});
/** Changes headers. */
export const withHeaders = (headers: Record<string, string>) => (right: WrittenRequest) => ({
	...right,
	headers: {...right.headers, ...headers},
});
/** Changes the path. */
export const withPath = (from: string | RegExp, to: string) => (right: WrittenRequest) => ({
	...right,
	path: right.path.replace(from, to),
});
/** Changes keys of a JSON body; `undefined` takes one out. */
export const withBody = (change: object) => (right: WrittenRequest) => ({
	...right,
	body: JSON.stringify({...JSON.parse(right.body), ...change}),
});
/** A token nobody gave. */
export const wrongBearer = withHeaders({authorization: 'Bearer wrong'});
