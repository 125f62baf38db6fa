import {type PlatformKey, type PlatformName, platformRow, type SettingName} from './platform-keys.ts';
import {isSecretSetting} from '../../util/redact.ts';
import {snakeCase} from '../../util/snake-case.ts';
import {isUnresolved} from '../secrets/variables.ts';

/** A platform as written, references unresolved. `broken`: its section is invalid, and a problem says why. */
export type PlatformConfig = {
	readonly name: PlatformName;
	readonly state: 'enabled' | 'disabled' | 'broken';
	/** Values by their key in the file. */
	readonly written: Readonly<Record<string, string>>;
	/** The endpoints of `platforms.url`. */
	readonly endpoints?: Readonly<Record<string, UrlEndpoint>>;
};

/** An address that receives messages as webhooks (`platforms.url.<name>`). */
export type UrlEndpoint = {
	readonly url: string;
	/** Signs each message; empty: it is not signed. */
	readonly secret: string;
	readonly headers: Readonly<Record<string, string>>;
};

/** The resolved settings of a platform; an empty string means unset. */
export type Settings = Readonly<Record<SettingName, string>> & {
	readonly endpoints: Readonly<Record<string, UrlEndpoint>>;
};

/** The sources of settings, read at every use (docs/configuration.md, How values are read). */
export type SettingScope = {
	readonly variables: (name: string) => string | undefined;
	readonly expand: (text: string) => string;
};

/** The current settings of a platform: the file, else the environment variable of the key, else its default. */
export function platformSettings({name, written, endpoints = {}}: PlatformConfig, scope: SettingScope): Settings {
	const resolved = Object.entries(platformRow(name).keys).map(([key, row]): [string, string] => [
		camelCase(key),
		settingValue(written[key], row, scope),
	]);
	const settings = {...unset, ...Object.fromEntries(resolved), endpoints: resolveEndpoints(endpoints, scope)};
	const [only, ...others] = Object.keys(endpoints);
	// A single endpoint needs no choice.
	return settings.homeChannel === '' && only !== undefined && others.length === 0
		? {...settings, homeChannel: only}
		: settings;
}

function resolveEndpoints(
	endpoints: Readonly<Record<string, UrlEndpoint>>,
	scope: SettingScope,
): Readonly<Record<string, UrlEndpoint>> {
	const resolve = (text: string) => settingValue(text, {}, scope);
	return mapValues(endpoints, ({url, secret, headers}) => ({
		url: resolve(url),
		secret: resolve(secret),
		headers: mapValues(headers, resolve),
	}));
}

function mapValues<Value, Mapped>(
	object: Readonly<Record<string, Value>>,
	map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
	return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}

function settingValue(written: string | undefined, row: PlatformKey, {variables, expand}: SettingScope): string {
	if (written !== undefined && written !== '') {
		const value = expand(written);
		// An unresolved reference is not a value: the platform would only refuse a token `${TOKEN}`.
		return isUnresolved(written) && isUnresolved(value) ? '' : value;
	}

	return row.variables?.map(variables).find(value => value !== undefined) ?? row.fallback ?? '';
}

/** The secret settings, also in the forms they take in URLs and headers. */
export function platformSecrets({endpoints, ...settings}: Settings): readonly string[] {
	const named = Object.entries(settings).filter(([name]) => isSecretSetting(snakeCase(name)) && name !== 'tokenUrl');
	const ofEndpoints = Object.values(endpoints).flatMap(({secret, headers}) => [secret, ...Object.values(headers)]);
	const values = [...named.map(([, value]) => value), ...ofEndpoints, ...secretsOfWebhook(settings.webhookUrl)];
	const {accountSid, authToken} = settings;
	const basic = authToken && Buffer.from(`${accountSid}:${authToken}`).toString('base64');
	return [...values, ...values.map(encodeURIComponent), basic].filter(value => value !== '');
}

/** Anyone who knows the URL of a robot can write to its chat: the whole URL is secret, and so are its key and its last path segment. */
function secretsOfWebhook(address: string): readonly string[] {
	if (!URL.canParse(address)) {
		return address === '' ? [] : [address];
	}

	const {searchParams, pathname} = new URL(address);
	return [address, ...searchParams.values(), ...(searchParams.size === 0 ? [pathname.split('/').at(-1) ?? ''] : [])];
}

function camelCase(key: string): string {
	return key.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

/** Every setting, unset. */
export const unset: Settings = {
	token: '',
	account: '',
	accountSid: '',
	authToken: '',
	from: '',
	phoneNumberId: '',
	service: '',
	host: '',
	port: '',
	user: '',
	password: '',
	sslVerify: '',
	webhookUrl: '',
	secret: '',
	appId: '',
	appSecret: '',
	corpId: '',
	agentId: '',
	accountId: '',
	clientSecret: '',
	tokenUrl: '',
	routingKey: '',
	homeChannel: '',
	baseUrl: '',
	endpoints: {},
};
