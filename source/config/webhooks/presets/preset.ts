import {type AnswerType} from '../../../util/templates/answer-body.ts';
import {type JsonObject, type JsonValue} from '../../../util/json-text.ts';

/** The signature of a sender, in the words of `signature` in config.yaml (docs/providers.md, Signature presets). */
export type SignatureDescription = {
	readonly header?: string;
	readonly algorithm?:
		| 'sha256'
		| 'sha1'
		| 'sha512'
		| 'ed25519'
		| 'ecdsa-sha256'
		| 'rsa-sha256'
		| 'jwt'
		| 'sns'
		| 'token';
	/** The fields of the body that carry the secret itself, in place of a header. `*` is every item of a list, and every one must match. */
	readonly field?: string;
	readonly jwt_algorithm?: 'RS256' | 'ES256';
	readonly encoding?: 'hex' | 'base64';
	readonly prefix?: string;
	readonly separator?: string;
	readonly timestamp_header?: string;
	readonly timestamp_part?: string;
	readonly timestamp_field?: string;
	readonly signed?: string;
	readonly tolerance?: number;
	readonly key?: 'text' | 'hex' | 'base64';
	readonly url?: string;
};

/** The part of a message that carries its delivery id or its event type. Header names are lower case, fields are dot paths. */
export type MessageSource =
	| {readonly from: 'header'; readonly name: string}
	| {readonly from: 'field'; readonly name: string}
	/** The values of all these paths together, for messages of several events; `*` is every item of a list. */
	| {readonly from: 'fields'; readonly names: readonly string[]}
	/** The first of these paths that has a value. */
	| {readonly from: 'first-field'; readonly names: readonly string[]}
	/** The name of the first member besides `besides`. */
	| {readonly from: 'member-name'; readonly besides: string}
	/** Never an id, always the event type `unknown`. */
	| {readonly from: 'none'};

/** The way in which a provider verifies the address of a route before it sends events. */
export type Challenge =
	/** A field of the signed body is sent back. `when`: the member that makes a message a challenge. */
	| {
			readonly kind: 'field';
			readonly field: string;
			readonly when?: {readonly field: string; readonly equals: string};
			readonly answer: 'text' | 'json';
	  }
	/** A parameter of the address is sent back, before any signature and with the body unread. */
	| {
			readonly kind: 'parameter';
			readonly method: 'GET' | 'POST';
			readonly parameter: string;
			/** The parameter that must have the value of `token`; absent: the provider has none. */
			readonly tokenParameter?: string;
			readonly token?: string;
			readonly answer: 'text' | 'json';
	  }
	/** A signed PING: of an interaction `{"type":1}`, of a webhook event 204 without a body. */
	| {readonly kind: 'discord'}
	/** A signed message with a token, which is sent back with its HMAC. */
	| {readonly kind: 'zoom'}
	/** A signed message with an address, which is fetched once a person has agreed. */
	| {readonly kind: 'sns'};

/** A fixed answer with status 200. Without a content type it has no body. */
export type FixedAnswer = {readonly contentType?: AnswerType; readonly text: string};

/** The way in which a provider takes the results of its requests, for routes with `respond`. */
export type PresetAnswers = {
	/** Sent when the result is not there in time. */
	readonly acknowledge: FixedAnswer;
	/** Sent when an event leads to nothing: it is ignored, or a duplicate. */
	readonly nothing: FixedAnswer;
	/** The content types of results that the provider understands. */
	readonly takes: readonly AnswerType[];
	/** A longer result is cut, in code points. */
	readonly maximumCharacters: number;
	readonly later: LaterAnswer;
};

/** The way of a result after the acknowledgement. */
export type LaterAnswer = LaterRequest | LaterMessage;

/** One request to an address that the signed message names. */
export type LaterRequest = {
	readonly by: 'request';
	/** The field of the message that lets anybody answer. Without `path` its value is the whole address. */
	readonly secretField: string;
	/** The only host. */
	readonly host: string;
	/** The segments of the path: texts, and fields of the message. */
	readonly path?: ReadonlyArray<string | {readonly field: string}>;
	readonly method: 'POST' | 'PATCH';
	/** Members of the body besides the text, which a body of the route's own may replace. */
	readonly members: JsonObject;
	/** The member of the text. */
	readonly textMember: string;
	/** Slack reads `&`, `<` and `>` as markup. */
	readonly escapes?: 'slack';
	/** The member of a JSON body of the route's own that is a message; absent: the body itself is. */
	readonly messageMember?: string;
	readonly validSeconds: number;
};

/** A message of a delivery platform to the sender that the signed message names. */
export type LaterMessage = {readonly by: 'platform'; readonly platform: 'sms'; readonly chatField: string};

/** Everything that Sluice knows of a provider. `docs/providers.md` and `sluice webhook presets` are written from it. */
export type Preset = {
	/** The provider's own name. */
	readonly title: string;
	/** The provider's page about its webhooks. */
	readonly documentation: string;
	readonly signature: SignatureDescription;
	/** The issuer of its tokens, for `jwt`. `email`: the token names a service account, which the route must name, too. */
	readonly issuer?: {readonly issuer: string; readonly jwks: string; readonly email?: 'required'};
	/** Absent: the id headers of every route count. */
	readonly deliveryId?: MessageSource;
	/** Absent: the headers and members of every route count. */
	readonly eventType?: MessageSource;
	readonly challenge?: Challenge;
	/** The time in which the provider wants its answer; absent: its documentation names none. */
	readonly answerSeconds?: number;
	/** Absent: it takes no results, and gets the answers of every sender. */
	readonly answers?: PresetAnswers;
	/** The time during which the provider sends an unanswered message again; absent: its documentation names none. */
	readonly retrySeconds?: number;
	/** The page that names these times. Absent: `documentation` does. */
	readonly timesDocumentation?: string;
	/** A message in the provider's form, cut to the fields that matter, with the event type that it has. */
	readonly sample: {
		readonly payload: JsonValue;
		readonly headers?: Readonly<Record<string, string>>;
		readonly event: string;
		/** The id that identifies a retry of this message; absent: it has none. */
		readonly id?: string;
	};
	/** The steps at the provider; `{address}` is the address of the route, `{variable}` the variable of its secret. */
	readonly steps: readonly string[];
	/** The evidence that its messages are understood. */
	readonly verified: string;
};
