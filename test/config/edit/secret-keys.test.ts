import {expect, test} from 'vitest';
import {isSecretPath, literalSecretIn, literalSecretsOf, maskedValue} from '../../../source/config/edit/secret-keys.ts';
import {configSchemaText} from '../../../source/config/read/config-schema.ts';
import {isJsonObject, parseJson} from '../../../source/util/json-text.ts';

/** The paths of all keys of config.yaml; `*` is a name of one's own, 0 an item of a list. */
function pathsOf(
	schema: unknown,
	path: ReadonlyArray<string | number> = [],
): ReadonlyArray<ReadonlyArray<string | number>> {
	if (!isJsonObject(schema)) {
		return [];
	}

	const {properties, additionalProperties, items, anyOf} = schema;
	const members = isJsonObject(properties) ? Object.entries(properties) : [];
	return [
		path,
		...members.flatMap(([key, member]) => pathsOf(member, [...path, key])),
		...pathsOf(additionalProperties, [...path, '*']),
		...(Array.isArray(items)
			? items.flatMap((item, index) => pathsOf(item, [...path, index]))
			: pathsOf(items, [...path, 0])),
		...(Array.isArray(anyOf) ? anyOf.flatMap(form => pathsOf(form, path)) : []),
	];
}

test('exactly these keys of config.yaml are secrets', () => {
	const secret = pathsOf(parseJson(configSchemaText())).filter(isSecretPath);
	expect([...new Set(secret.map(path => path.join('.')))].toSorted()).toEqual([
		'approvals.remote.channels.0.app_token',
		'approvals.remote.channels.0.bot_token',
		'approvals.remote.channels.0.token',
		'gateway.endpoint.clients.*.token',
		'gateway.endpoint.token',
		'mcp_servers.*.client_cert.2',
		'mcp_servers.*.env.*',
		'mcp_servers.*.headers.*',
		'mcp_servers.*.oauth.client_secret',
		'mcp_servers.*.oauth.token_params',
		'mcp_servers.*.oauth.token_params.*',
		'metrics.token',
		'model.api_key',
		'platforms.bluebubbles.password',
		'platforms.dingtalk.secret',
		'platforms.dingtalk.webhook_url',
		'platforms.discord.token',
		'platforms.email.password',
		'platforms.feishu.app_secret',
		'platforms.feishu.secret',
		'platforms.feishu.webhook_url',
		'platforms.github_comment.token',
		'platforms.google_chat.webhook_url',
		'platforms.homeassistant.token',
		'platforms.matrix.token',
		'platforms.mattermost.token',
		'platforms.ntfy.token',
		'platforms.pagerduty.routing_key',
		'platforms.qqbot.client_secret',
		'platforms.slack.token',
		'platforms.sms.auth_token',
		'platforms.teams.webhook_url',
		'platforms.telegram.token',
		'platforms.url.*.headers.*',
		'platforms.url.*.secret',
		'platforms.webhook.extra.routes.*.challenge.token',
		'platforms.webhook.extra.routes.*.secret',
		'platforms.webhook.extra.routes.*.secret.0',
		'platforms.webhook.extra.routes.*.secret.0.audience',
		'platforms.webhook.extra.routes.*.secret.0.email',
		'platforms.webhook.extra.routes.*.secret.0.issuer',
		'platforms.webhook.extra.routes.*.secret.0.jwks',
		'platforms.webhook.extra.routes.*.secret.0.topic_arn',
		'platforms.webhook.extra.routes.*.secret.audience',
		'platforms.webhook.extra.routes.*.secret.email',
		'platforms.webhook.extra.routes.*.secret.issuer',
		'platforms.webhook.extra.routes.*.secret.jwks',
		'platforms.webhook.extra.routes.*.secret.topic_arn',
		'platforms.webhook.extra.secret',
		'platforms.webhook.extra.secret.0',
		'platforms.webhook.routes.*.challenge.token',
		'platforms.webhook.routes.*.secret',
		'platforms.webhook.routes.*.secret.0',
		'platforms.webhook.routes.*.secret.0.audience',
		'platforms.webhook.routes.*.secret.0.email',
		'platforms.webhook.routes.*.secret.0.issuer',
		'platforms.webhook.routes.*.secret.0.jwks',
		'platforms.webhook.routes.*.secret.0.topic_arn',
		'platforms.webhook.routes.*.secret.audience',
		'platforms.webhook.routes.*.secret.email',
		'platforms.webhook.routes.*.secret.issuer',
		'platforms.webhook.routes.*.secret.jwks',
		'platforms.webhook.routes.*.secret.topic_arn',
		'platforms.webhook.secret',
		'platforms.webhook.secret.0',
		'platforms.wecom.secret',
		'platforms.wecom.webhook_url',
		'platforms.weixin.token',
		'platforms.whatsapp.token',
		'search.api_key',
		'vision_model.api_key',
	]);
});

test.each([
	[['mcp_servers', 'token', 'command'], false],
	[['platforms', 'webhook', 'routes', 'secret', 'prompt'], false],
	[['platforms', 'url', 'token', 'url'], false],
	[['approvals', 'rules', 0, 'arguments', 'token', 'equals'], false],
	[['platforms', 'webhook', 'routes', 'a', 'secret', 'topic_arn'], true],
])('%j: a name of its own or an argument of a rule is no secret (%s)', (path, isSecret) => {
	expect(isSecretPath(path)).toBe(isSecret);
});

test.each<[unknown, string, unknown]>([
	['s3cret', 'model.api_key', '‹redacted 6 chars›'],
	[12_345, 'model.api_key', '‹redacted 5 chars›'],
	['${KEY}', 'model.api_key', '${KEY}'],
	['Bearer ${KEY}', 'mcp_servers.a.headers.Authorization', 'Bearer ${KEY}'],
	['Bearer s3cret', 'mcp_servers.a.headers.Authorization', '‹redacted 13 chars›'],
	['${A}-s3cret', 'mcp_servers.a.env.A', '‹redacted 11 chars›'],
	['', 'mcp_servers.a.env.A', ''],
	['INSECURE_NO_AUTH', 'platforms.webhook.secret', 'INSECURE_NO_AUTH'],
	['https://me:pass-word@h/x', 'mcp_servers.a.url', 'https://‹redacted 2 chars›:‹redacted 9 chars›@h/x'],
	['https://h/x?api_key=abcd', 'mcp_servers.a.url', 'https://h/x?api_key=‹redacted 4 chars›'],
	['postgres://me@h/db', 'journal.url', 'postgres://me@h/db'],
	['postgres://me:pass-word@h/db', 'journal.url', 'postgres://me:‹redacted 9 chars›@h/db'],
	['postgres://me:${PASSWORD}@h/db', 'journal.url', 'postgres://me:${PASSWORD}@h/db'],
	['known', 'agent.instructions', '‹known›'],
])('%j at %s is shown as %j', (value, path, shown) => {
	expect(maskedValue(value, path.split('.'), text => (text === 'known' ? '‹known›' : text))).toEqual(shown);
});

test('secrets are found at any depth, and what was there before is none that is new', () => {
	const entry = {url: 'https://h', headers: {A: '${A}', B: 'new-secret'}};
	expect(literalSecretIn(entry, ['mcp_servers', 'a'], {})).toEqual(['mcp_servers', 'a', 'headers', 'B']);
	expect(
		literalSecretIn(entry, ['mcp_servers', 'a'], {mcp_servers: {a: {headers: {B: 'new-secret'}}}}),
	).toBeUndefined();
	expect(literalSecretIn('https://me@h/x', ['mcp_servers', 'a', 'url'], {})).toEqual(['mcp_servers', 'a', 'url']);
	expect(literalSecretIn(['c', 'k', 'pw'], ['mcp_servers', 'a', 'client_cert'], {})?.at(-1)).toBe(2);
	expect(literalSecretsOf({mcp_servers: {a: entry}, model: {api_key: 'k', name: 'n'}})).toEqual(['new-secret', 'k']);
});
