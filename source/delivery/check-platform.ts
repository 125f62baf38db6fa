import {accessSync, constants, existsSync, statSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {platformRow} from '../config/platforms/platform-keys.ts';
import {
	type PlatformConfig,
	platformSettings,
	type Settings,
	type SettingScope,
} from '../config/platforms/platform-settings.ts';
import {isUnresolved} from '../config/secrets/variables.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {snakeCase} from '../util/snake-case.ts';
import {emailSender} from './email-address.ts';
import {endpointName, standardKey} from './standard-webhook.ts';

/**
Checks whether a platform is usable, without sending anything: it may be disabled, lack a setting, or have an invalid address. Returns warnings with the code
`platform_unusable`; empty when it is ready (docs/delivery.md, Platforms).
*/
export function checkPlatform(config: PlatformConfig, scope: SettingScope): readonly Problem[] {
	const {name, state} = config;
	if (state !== 'enabled') {
		return [
			state === 'disabled'
				? unusable(
						config,
						`platforms.${name} is switched off (\`enabled: false\`)`,
						`Set \`platforms.${name}.enabled: true\``,
					)
				: unusable(
						config,
						`platforms.${name} cannot be read; correct its own error first`,
						corrected(`platforms.${name}`),
					),
		];
	}

	const settings = platformSettings(config, scope);
	return [
		...missingSettings(config, settings),
		...wrongAddresses(config, settings),
		...wrongEndpoints(config, settings),
		...wrongPort(config, settings),
		...wrongToken(config, settings),
		...wrongEmail(config, settings, scope),
		...wrongService(config, settings),
		...missingProgram(config, scope),
	];
}

/** The missing settings of the set that is closest to complete. */
function missingSettings(config: PlatformConfig, settings: Settings): readonly Problem[] {
	const has = (key: string) => valueOf(settings, key) !== '';
	const sets = platformRow(config.name).complete.map(keys => ({
		missing: keys.filter(key => !has(key)),
		given: keys.filter(has).length,
	}));
	if (sets.some(({missing}) => missing.length === 0)) {
		return [];
	}

	const closest = sets.reduce((first, second) => (second.given > first.given ? second : first));
	return closest.missing.map(key =>
		unusable(config, missingText(config, key), `Set \`platforms.${config.name}.${key}\`${orVariable(config, key)}`),
	);
}

function missingText({name, written}: PlatformConfig, key: string): string {
	const path = `platforms.${name}.${key}`;
	const value = written[key] ?? '';
	const reference = /\$\{[^}]+\}/u.exec(value)?.[0];
	if (isUnresolved(value) && reference !== undefined) {
		return `${path} refers to ${reference}, which is not set`;
	}

	const variables = variablesOf(name, key);
	return `${path} is missing${variables.length === 0 ? '' : ` (or the variable ${variables.join(' or ')})`}`;
}

/** The variables of a key: those that its value refers to, or those of the platform. */
function orVariable({name, written}: PlatformConfig, key: string): string {
	const referred = Array.from((written[key] ?? '').matchAll(/\$\{(\w+)\}/gu), match => match[1] ?? '');
	const variables = referred.length > 0 ? referred : variablesOf(name, key);
	return variables.length === 0 ? '' : `, or ${variables.join(' or ')} in \`.env\``;
}

function variablesOf(name: PlatformConfig['name'], key: string): readonly string[] {
	return platformRow(name).keys[key]?.variables ?? [];
}

function corrected(path: string): string {
	return `Correct \`${path}\` in config.yaml`;
}

function wrongAddresses(config: PlatformConfig, settings: Settings): readonly Problem[] {
	return platformRow(config.name)
		.addresses.filter(key => valueOf(settings, key) !== '' && !isAddress(valueOf(settings, key)))
		.map(key => `platforms.${config.name}.${key}`)
		.map(path => unusable(config, `${path} must be an http or https address without a password`, corrected(path)));
}

/** Each endpoint of `platforms.url` needs an address, headers that can be sent, and a secret that holds a key. */
function wrongEndpoints(config: PlatformConfig, {endpoints}: Settings): readonly Problem[] {
	if (config.name !== 'url') {
		return [];
	}

	if (Object.keys(endpoints).length === 0) {
		const remedy = 'Set `platforms.url.<name>.url`';
		return [unusable(config, 'platforms.url has no endpoint', remedy)];
	}

	return Object.entries(endpoints).flatMap(([name, {url, secret, headers}]) => {
		const path = `platforms.url.${safeText(name, {maximumCharacters: 60})}`;
		const texts = [
			...(endpointName.test(name) ? [] : [`${path}: a name has 1 to 64 letters, digits, \`_\` and \`-\``]),
			...(isAddress(url) ? [] : [`${path}.url must be an http or https address without a password`]),
			...(Object.entries(headers).every(isHeader)
				? []
				: [`${path}.headers has a name or a value that no header can have`]),
			...(isUnsigned(config, name) || standardKey(secret)
				? []
				: [`${path}.secret is not set, or is not base64 after whsec_`]),
		];
		return texts.map(text => unusable(config, text, corrected(path)));
	});
}

const isHeader = ([name, value]: readonly [string, string]): boolean =>
	/^[\w!#$%&'*+.^`|~-]+$/u.test(name) && /^[\u0020-\u007E\u00A0-\u00FF]*$/u.test(value);

/** A secret that refers to an unset variable is missing, which differs from one that was never written. */
function isUnsigned({endpoints = {}}: PlatformConfig, name: string): boolean {
	return endpoints[name]?.secret === '';
}

function wrongPort(config: PlatformConfig, {port}: Settings): readonly Problem[] {
	const isPort = port === '' || (/^\d{1,5}$/u.test(port) && Number(port) > 0 && Number(port) < 65_536);
	const path = `platforms.${config.name}.port`;
	return isPort ? [] : [unusable(config, `${path} must be a port number`, corrected(path))];
}

/** The token is sent in a header, which takes no line break and no character beyond Latin-1. */
function wrongToken(config: PlatformConfig, {token}: Settings): readonly Problem[] {
	const path = `platforms.${config.name}.token`;
	return /^[\u0020-\u007E\u00A0-\u00FF]*$/u.test(token)
		? []
		: [unusable(config, `${path} contains a line break or a character that a header cannot have`, corrected(path))];
}

/** The sender and the file of authorities; both are read before a message is sent. */
function wrongEmail(config: PlatformConfig, settings: Settings, {variables}: SettingScope): readonly Problem[] {
	if (config.name !== 'email') {
		return [];
	}

	const {address, written} = emailSender(settings);
	const sender =
		written === '' || address !== undefined
			? []
			: [unusable(config, 'platforms.email.from must be an e-mail address', corrected('platforms.email.from'))];
	const path = settings.sslVerify.replace(/^~(?=\/|$)/u, variables('HOME') ?? '');
	const authorities =
		path === '' || isReadableFile(path)
			? []
			: [
					unusable(
						config,
						`platforms.email.ssl_verify names ${safeText(path)}, which cannot be read`,
						corrected('platforms.email.ssl_verify'),
					),
				];
	return [...sender, ...authorities];
}

function isReadableFile(path: string): boolean {
	try {
		accessSync(path, constants.R_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

function wrongService(config: PlatformConfig, {service}: Settings): readonly Problem[] {
	const path = `platforms.${config.name}.service`;
	return config.name !== 'homeassistant' || service === '' || /^(?:[a-z0-9_]{1,64}\.)?[a-z0-9_]{1,64}$/u.test(service)
		? []
		: [unusable(config, `${path} must be the name of a service, such as notify.notify`, corrected(path))];
}

function isAddress(text: string): boolean {
	if (!URL.canParse(text)) {
		return false;
	}

	const {protocol, username, password} = new URL(text);
	return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

/** GitHub comments are posted by the program `gh`. */
function missingProgram(config: PlatformConfig, {variables}: SettingScope): readonly Problem[] {
	const folders = (variables('PATH') ?? '').split(delimiter);
	const isThere =
		config.name !== 'github_comment' || folders.some(folder => folder !== '' && existsSync(join(folder, 'gh')));
	const remedy = 'Install gh (https://cli.github.com), then log in with `gh auth login`';
	return isThere ? [] : [unusable(config, 'the program `gh` is not installed on this machine', remedy)];
}

function valueOf(settings: Settings, key: string): string {
	const [, value] = Object.entries(settings).find(([name]) => snakeCase(name) === key) ?? [];
	return typeof value === 'string' ? value : '';
}

function unusable({name}: PlatformConfig, message: string, remedy: string): Problem {
	return new Problem('platform_unusable', {message, remedy, level: 'warning', scope: {kind: 'platform', name}});
}
