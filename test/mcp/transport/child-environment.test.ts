import {describe, expect, test} from 'vitest';
import {childEnvironment, namedVariables, withheldNames} from '../../../source/mcp/transport/child-environment.ts';

const names = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TERM', 'SHELL', 'TMPDIR', 'XDG_RUNTIME_DIR'];

test.each(names)('%s is passed on', name => {
	expect(childEnvironment({[name]: 'x'}, {})).toEqual({[name]: 'x'});
});

test.each(['GITHUB_TOKEN', 'NODE_OPTIONS', 'LD_PRELOAD', 'MYPATH', 'PATHS', 'SLUICE_HOME'])('%s stays here', name => {
	expect(childEnvironment({[name]: 'x'}, {})).toEqual({});
});

test('the own environment of an entry is added and wins', () => {
	expect(childEnvironment({PATH: '/bin'}, {PATH: '/own', KEY: 'k'})).toEqual({PATH: '/own', KEY: 'k'});
});

const expandWith = (variables: Readonly<Record<string, string>>) => (text: string) =>
	text.replaceAll(/\$\{env:(\w+)\}/gu, (reference, name: string) => variables[name] ?? reference);

test('the variables that an entry names are passed on, as far as they are set', () => {
	expect(
		namedVariables(['NODE_EXTRA_CA_CERTS', 'UNSET'], expandWith({NODE_EXTRA_CA_CERTS: '/ca.pem', OTHER: 'x'})),
	).toEqual({
		NODE_EXTRA_CA_CERTS: '/ca.pem',
	});
});

describe('of the variables that a server does not get', () => {
	const expand = expandWith({
		HTTPS_PROXY: 'http://proxy',
		NODE_EXTRA_CA_CERTS: '/ca.pem',
		npm_config_cache: '/cache',
		GARDEN_TOKEN: 't',
		UNRELATED_KEY: 'k',
		PATH: '/bin',
		PWD: '/',
	});
	const names = (
		{fileVariables = [], ...entry}: {env?: Record<string, string>; passEnv?: string[]; fileVariables?: string[]},
		...stderr: string[]
	) => withheldNames({env: {}, ...entry}, {expand, fileVariables, stderr});

	test('those that its stderr names may be what it lacks', () => {
		expect(names({}, 'Error: GARDEN_TOKEN is required in PATH or PWD', 'NOT_SET_AT_ALL')).toEqual(['GARDEN_TOKEN']);
	});

	test.each([
		['npm error code SELF_SIGNED_CERT_IN_CHAIN', ['NODE_EXTRA_CA_CERTS']],
		['ssl.SSLCertVerificationError: certificate verify failed', ['NODE_EXTRA_CA_CERTS']],
		['npm error network request to https://registry.npmjs.org/x failed', ['HTTPS_PROXY']],
		['TypeError: fetch failed', ['HTTPS_PROXY']],
		['getaddrinfo ENOTFOUND registry.npmjs.org', ['HTTPS_PROXY']],
		["npm error EACCES: permission denied, mkdir '/.npm'", ['npm_config_cache']],
		['TypeError: x is not a function', []],
		['usage: server [--port PORT] [--connection NAME]', []],
	])('after "%s", those that can have to do with it', (line, expected) => {
		expect(names({}, line)).toEqual(expected);
	});

	test('a server that did not answer in time may have waited for the network, or retried because of a certificate', () => {
		const after = (reason: string) => withheldNames({env: {}}, {expand, fileVariables: [], stderr: [], reason});
		expect(after('The server did not answer within 60 s')).toEqual(['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY']);
		expect(after('The server ended with code 1')).toEqual([]);
	});

	test('none is named that it gets', () => {
		expect(names({env: {GARDEN_TOKEN: 'x'}, passEnv: ['HTTPS_PROXY']}, 'GARDEN_TOKEN is wrong')).toEqual([]);
		expect(names({fileVariables: ['GARDEN_TOKEN']}, 'GARDEN_TOKEN is wrong')).toEqual([]);
	});
});
