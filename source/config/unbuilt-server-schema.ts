import {z} from 'zod';
import {boolLike} from './bool-like.ts';
import {field} from './field-rule.ts';
import {numberLike} from './number-like.ts';
import {text} from './text-like.ts';

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

function mapping<Shape extends z.ZodObject>(schema: Shape, description: string) {
	return field(schema, {description, allowed: `a mapping with ${Object.keys(schema.shape).join(', ')}`}).optional();
}

/** Keys of a server entry that are known and checked, but have no effect yet: see not-supported-yet.ts. */
export const unbuiltServerShape = {
	auth: field(z.enum(['oauth']), {description: 'oauth: log in with OAuth 2.1.', allowed: 'oauth'}).optional(),
	oauth: mapping(oauthSchema, 'Options of the login.'),
};
