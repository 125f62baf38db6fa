import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {boolLike} from '../values/bool-like.ts';
import {choice} from '../values/choice.ts';
import {field} from '../values/field-rule.ts';
import {numberLike} from '../values/number-like.ts';
import {text} from '../values/text-like.ts';

/** How long a person has to approve a login, in seconds (docs/tool-servers.md, Timeouts and limits). */
export const approvalSeconds = 300;

/** Keys of `oauth` as a person writes them (docs/logins.md, Client identification). */
export const oauthSchema = lazy(() =>
	z.strictObject({
		client_id: text('Identifier of a client registered beforehand.'),
		client_secret: text('Secret of a client registered beforehand.'),
		token_endpoint_auth_method: choice(['none', 'client_secret_basic', 'client_secret_post'], {
			description: 'How the client authenticates at the token endpoint.',
			told: 'the method is chosen from what the server offers',
		}),
		client_name: text('Name under which the client registers.'),
		redirect_uri: text('Replaces the redirect address.'),
		redirect_port: numberLike('Replaces the callback port.', {
			fallback: undefined,
			minimum: 0,
			maximum: 65_535,
			whole: true,
		}),
		scope: text('Scope that is asked for.'),
		timeout: numberLike('How long a device approval is waited for, in seconds.', {
			fallback: approvalSeconds,
			minimum: 0.001,
			unit: 'seconds',
		}),
		flow: field(z.enum(['device', 'browser']), {
			description: 'Which login is used.',
			allowed: 'device, browser',
		}).optional(),
		client_metadata_url: text('HTTPS address of a client metadata document of your own.'),
		cimd: boolLike('false: always register dynamically.', true),
		user_agent: field(z.string().nullable(), {
			description: 'User-Agent of token requests; empty: that of the program.',
			allowed: 'text',
		}).optional(),
	}),
);

/** The two keys of a server entry that are about logins. */
export const loginShape = lazy(() => ({
	auth: field(z.enum(['oauth']), {description: 'oauth: log in with OAuth 2.1.', allowed: 'oauth'}).optional(),
	oauth: field(oauthSchema(), {
		description: 'Options of the login.',
		allowed: `a mapping with ${Object.keys(oauthSchema().shape).join(', ')}`,
	}).optional(),
}));
