import {z} from 'zod';
import {boolLike} from './bool-like.ts';
import {field} from './field-rule.ts';
import {numberLike} from './number-like.ts';
import {text, textList} from './text-like.ts';

const oauthSchema = z.strictObject({
	client_id: text('Identifier of a client registered beforehand.'),
	client_secret: text('Secret of a client registered beforehand.'),
	token_endpoint_auth_method: text('How the client authenticates at the token endpoint.'),
	client_name: text('Name under which the client registers.'),
	redirect_uri: text('Replaces the redirect address.'),
	redirect_port: numberLike('Replaces the callback port.', {
		fallback: undefined,
		minimum: 0,
		maximum: 65_535,
		whole: true,
	}),
	scope: text('Scope of the device authorization request.'),
	timeout: numberLike('How long a device approval is waited for, in seconds.', {
		fallback: 300,
		minimum: 0,
		unit: 'seconds',
	}),
	flow: field(z.enum(['device', 'browser']), {
		description: 'Which login is used.',
		allowed: 'device, browser',
	}).optional(),
	client_metadata_url: text('HTTPS address of a client metadata document of your own.'),
	cimd: boolLike('false: always register dynamically.', true),
	user_agent: text('User-Agent of token requests.'),
});

const samplingSchema = z.strictObject({
	enabled: boolLike('Servers may ask the configured model.', true),
	model: text('Which model answers.'),
	max_tokens_cap: numberLike('Most tokens of one answer.', {fallback: 4096, minimum: 1, whole: true}),
	timeout: numberLike('How long one answer may take, in seconds.', {fallback: 30, minimum: 0, unit: 'seconds'}),
	max_rpm: numberLike('Requests per minute.', {fallback: 10, minimum: 0, whole: true}),
	max_tool_rounds: numberLike('Tool rounds of one request.', {fallback: 5, minimum: 0, whole: true}),
	allowed_models: textList('Models a server may name; empty: any.'),
});

const elicitationSchema = z.strictObject({
	enabled: boolLike('Servers may ask a person.', true),
	timeout: numberLike('How long the person has, in seconds.', {fallback: 300, minimum: 0, unit: 'seconds'}),
});

function mapping<Shape extends z.ZodObject>(schema: Shape, description: string) {
	return field(schema, {description, allowed: `a mapping with ${Object.keys(schema.shape).join(', ')}`}).optional();
}

/** Keys of a server entry that are known and checked, but have no effect yet: see not-supported-yet.ts. */
export const unbuiltServerShape = {
	auth: field(z.enum(['oauth']), {description: 'oauth: log in with OAuth 2.1.', allowed: 'oauth'}).optional(),
	oauth: mapping(oauthSchema, 'Options of the login.'),
	sampling: mapping(samplingSchema, 'Whether the server may ask the configured model.'),
	elicitation: mapping(elicitationSchema, 'Whether the server may ask a person.'),
};
