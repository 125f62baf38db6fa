import {type Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {toBoolean, toNumber} from '../values/fields.ts';
import {readSettings} from '../values/read-section.ts';
import {type ParsedRoute, parseRouteEntry, type RouteConfig, toSecrets} from './route-entry.ts';
import {refuse, type Section, subsection, warn} from '../values/section.ts';
import {largestBodyBytes} from './route-schema.ts';
import {type WebhookEntry, portSchema, readableWebhookSchema, webhookDefaults} from './webhook-schema.ts';

/** A route that is not served. `route` is present if it could still be parsed: start-up refusals apply to it too. */
export type BrokenRoute = {readonly name: string; readonly problem: Problem; readonly route?: RouteConfig};

/** The settings of the webhook adapter (docs/webhooks.md, Set it up), environment applied. */
export type WebhookConfig = {
	readonly enabled: boolean;
	readonly host: string;
	readonly port: number;
	/** Requests per minute and route. */
	readonly rateLimit: number;
	readonly maxBodyBytes: number;
	/** The global secrets, references unresolved: for subscriptions without a secret of their own. */
	readonly secrets: readonly string[];
	readonly routes: readonly RouteConfig[];
	/** Configured routes that cannot be served. */
	readonly brokenRoutes: readonly BrokenRoute[];
};

/**
Reads `platforms.webhook`; `section` is that mapping. `variables` returns WEBHOOK_ENABLED and WEBHOOK_PORT, which take precedence over the file, and WEBHOOK_SECRET,
which is used only without a configured global secret (docs/configuration.md, How values are read).
*/
export function parseWebhookEntry(
	entry: unknown,
	context: {readonly section: Section; readonly variables: (name: string) => string | undefined},
): WebhookConfig {
	const {section, variables} = context;
	const written = readSettings(readableWebhookSchema, entry, section);
	const secrets = globalSecrets(written, variables);
	const parsed = parseRoutes(written, section, secrets);
	return {
		enabled: enabledBy(variables, section) ?? toBoolean(written.enabled) ?? false,
		host: setting(written, 'host', section).value || webhookDefaults.host,
		port: portBy(variables, section) ?? toNumber(setting(written, 'port', section).value, webhookDefaults.port),
		rateLimit: toNumber(setting(written, 'rate_limit', section).value, webhookDefaults.rateLimit),
		maxBodyBytes: maxBodyBytes(written, section),
		secrets,
		routes: parsed.flatMap(one => (one.kind === 'route' ? [one.route] : [])),
		brokenRoutes: parsed.flatMap(one =>
			one.kind === 'broken' ? [{name: one.name, problem: one.problem, route: one.route}] : [],
		),
	};
}

/** A larger value is used as far as bodies of unproven senders may go. */
function maxBodyBytes(written: WebhookEntry, section: Section): number {
	const {value, keys} = setting(written, 'max_body_bytes', section);
	const bytes = toNumber(value, webhookDefaults.maxBodyBytes);
	if (bytes > largestBodyBytes) {
		warn(section, keys, `A body may have at most ${largestBodyBytes} bytes. Using ${largestBodyBytes}`);
	}

	return Math.min(bytes, largestBodyBytes);
}

type SettingName = 'host' | 'port' | 'rate_limit' | 'max_body_bytes' | 'routes';

/** The value of a setting and its key path: `extra` wins. */
function setting<Name extends SettingName>(
	written: WebhookEntry,
	name: Name,
	section: Section,
): {readonly value: WebhookEntry[Name]; readonly keys: readonly string[]} {
	const extra = written.extra?.[name];
	if (extra === undefined) {
		return {value: written[name], keys: [name]};
	}

	if (written[name] !== undefined) {
		warn(section, [name], 'The key is set here and under `extra`; the one under `extra` is used. Remove this one');
	}

	return {value: extra, keys: ['extra', name]};
}

/** Passed on as a reference: the configuration never contains its value. */
function globalSecrets(written: WebhookEntry, variables: (name: string) => string | undefined): readonly string[] {
	const own = [written.extra?.secret, written.secret].map(toSecrets).find(secrets => secrets && secrets.length > 0);
	return own ?? (variables('WEBHOOK_SECRET') === undefined ? [] : ['${WEBHOOK_SECRET}']);
}

function enabledBy(variables: (name: string) => string | undefined, section: Section): boolean | undefined {
	const text = variables('WEBHOOK_ENABLED');
	const enabled = toBoolean(text);
	if (text !== undefined && enabled === undefined) {
		warn(
			section,
			['enabled'],
			`The variable WEBHOOK_ENABLED is "${safeText(text, {maximumCharacters: 40})}" and is ignored. Allowed: true or false`,
		);
	}

	return enabled;
}

function portBy(variables: (name: string) => string | undefined, section: Section): number | undefined {
	const text = variables('WEBHOOK_PORT');
	const {success, data} = portSchema().safeParse(text);
	if (!success) {
		warn(
			section,
			['port'],
			`The variable WEBHOOK_PORT is "${safeText(text ?? '', {maximumCharacters: 40})}" and is ignored. Allowed: a port number from 0 to 65535`,
		);
	}

	return data === undefined ? undefined : Number(data);
}

type NamedRoute = ParsedRoute & {readonly name: string};

function parseRoutes(written: WebhookEntry, section: Section, globalSecrets: readonly string[]): readonly NamedRoute[] {
	const found = setting(written, 'routes', section);
	return Object.entries(found.value ?? {}).map(([name, entry]) => {
		const own = subsection(section, [...found.keys, name], {kind: 'route', name});
		const parsed: ParsedRoute =
			name === ''
				? {kind: 'broken', problem: refuse(own, [], 'The route has no name. Give it one')}
				: parseRouteEntry(name, entry ?? {}, {section: own, globalSecrets});
		return {name, ...parsed};
	});
}
