import {describe, expect, test} from 'vitest';
import {parse, remote} from './parsed-server.ts';

describe('the transport', () => {
	test('both url and command: HTTP wins, with a warning', () => {
		const {parsed, problems} = parse({command: 'x', url: 'https://h/mcp'});
		expect([parsed.kind === 'server' && parsed.server.transport.kind, problems]).toEqual([
			'http',
			['warning: entry: command: The server has both `url` and `command`; `url` is used. Remove one of them'],
		]);
	});

	test.each([{}, {command: ''}, {url: ''}, {args: ['a']}])('%j is neither: an error', entry => {
		expect(parse(entry).problems).toEqual([
			'error: entry: The server has neither `command` nor `url`. Set one of them',
		]);
	});

	test.each(['text', 5, [], true])('an entry that is %j is an error', entry => {
		expect(parse(entry).problems).toEqual([
			expect.stringMatching(/^error: entry: .+\. Allowed: a mapping with `command` or `url`$/u),
		]);
	});

	test.each([
		['ftp://me:hunter2@h/', 'An address that begins with ftp: is not allowed here'],
		['h/mcp', 'The text is not an address'],
		['file:///etc/passwd', 'An address that begins with file: is not allowed here'],
		['javascript:1', 'An address that begins with javascript: is not allowed here'],
	])('url %s is an error that shows nothing which could be a secret', (url, found) => {
		expect(parse({url}).problems).toEqual([`error: entry: url: ${found}. Allowed: an http:// or https:// address`]);
	});

	test('a command with its arguments in it is a warning that names the program alone', () => {
		expect(parse({command: 'npx -y foo --token hunter2'}).problems).toEqual([
			'warning: entry: command: The command has spaces, but must be the program alone. Write `command: npx` and put the rest into `args`',
		]);
		expect(parse({command: '/opt/my tools/serve'}).problems).toEqual([]);
	});

	test('an address with a reference is checked when it is complete', () => {
		expect(remote({url: '${BASE}/mcp'}).url).toBe('${BASE}/mcp');
	});

	test.each([
		['sse', 'sse'],
		['http', 'http'],
		[null, 'http'],
	])('transport: %j is %s', (transport, kind) => {
		expect(remote({transport}).kind).toBe(kind);
	});

	test('an unknown transport is left out, with a warning', () => {
		expect(parse({url: 'http://h/', transport: 'carrier-pigeon'}).problems).toEqual([
			'warning: entry: transport: "carrier-pigeon" is not a known transport. Allowed: sse, http, streamable-http, stdio. The key is ignored',
		]);
	});

	test.each(['/srv/notes', '~', '~/notes', '${userHome}/notes', '${NOTES}'])(
		'%s is a path of cwd and env_file',
		path => {
			const {parsed, problems} = parse({command: 'x', cwd: path, env_file: path});
			expect([parsed.kind === 'server' && parsed.server.transport, problems]).toEqual([
				{kind: 'stdio', command: 'x', args: [], env: {}, cwd: path, envFile: path},
				[],
			]);
		},
	);

	test.each([
		['cwd', 'notes'],
		['cwd', './notes'],
		['env_file', '../x.env'],
		['env_file', '~other/x.env'],
	])('a relative %s is an error of the entry: %s', (key, path) => {
		expect(parse({command: 'x', [key]: path}).problems).toEqual([
			`error: entry: ${key}: A relative path is not allowed here. Allowed: an absolute path, or one that begins with ~/`,
		]);
	});

	test.each(['cwd', 'env_file'])('%s has no effect on a remote server, with a warning', key => {
		expect(parse({url: 'http://h/', [key]: '/x'}).problems).toEqual([
			`warning: entry: ${key}: \`${key}\` has no effect on a remote server; it is for servers with \`command\``,
		]);
	});

	test('names in pass_env are read, one or a list', () => {
		const passed = (pass_env: unknown) => {
			const {parsed} = parse({command: 'x', pass_env});
			return parsed.kind === 'server' && parsed.server.transport.kind === 'stdio' && parsed.server.transport.passEnv;
		};
		expect([passed(['A_B', 'c', 'A_B']), passed('ONE'), passed([]), passed(undefined)]).toEqual([
			['A_B', 'c'],
			['ONE'],
			undefined,
			undefined,
		]);
	});

	test('a value in pass_env is left out, with a warning that does not quote it', () => {
		const {parsed, problems} = parse({command: 'x', pass_env: ['TOKEN=hunter2', 'GOOD']});
		expect(parsed).toMatchObject({server: {transport: {passEnv: ['GOOD']}}});
		expect(problems).toEqual([
			'warning: entry: pass_env: A text is not the name of a variable and is ignored. Allowed: names such as NODE_EXTRA_CA_CERTS; values belong in `env`',
		]);
	});

	test('keys of remote servers have no effect on a stdio server, with a warning', () => {
		expect(parse({command: 'x', headers: {}, ssl_verify: false}).problems).toEqual([
			'warning: entry: headers: `headers` has no effect on a stdio server; it is for servers with `url`',
			'warning: entry: ssl_verify: `ssl_verify` has no effect on a stdio server; it is for servers with `url`',
		]);
	});
});

describe('TLS', () => {
	test.each([
		[undefined, {kind: 'system'}],
		[true, {kind: 'system'}],
		['yes', {kind: 'system'}],
		[false, {kind: 'unsafe-none'}],
		['no', {kind: 'unsafe-none'}],
		['OFF', {kind: 'unsafe-none'}],
		['~/ca.pem', {kind: 'bundle', path: '~/ca.pem'}],
	])('ssl_verify: %j', (written, expected) => {
		expect(remote({ssl_verify: written}).tls.verification).toEqual(expected);
	});

	test.each([[''], [[]], [5], [{}]])('ssl_verify: %j is an error, never the insecure choice', written => {
		expect(parse({url: 'http://h/', ssl_verify: written}).parsed.kind).toBe('broken');
	});

	test.each([
		['a.pem', undefined, {certificatePath: 'a.pem'}],
		['a.pem', 'k.pem', {certificatePath: 'a.pem', keyPath: 'k.pem'}],
		[['a.pem', 'k.pem'], undefined, {certificatePath: 'a.pem', keyPath: 'k.pem'}],
		[['a.pem', 'k.pem', 'pw'], undefined, {certificatePath: 'a.pem', keyPath: 'k.pem', keyPassword: 'pw'}],
		[['a.pem', 'k.pem'], 'other.pem', {certificatePath: 'a.pem', keyPath: 'k.pem'}],
		[undefined, 'k.pem', undefined],
	])('client_cert %j with client_key %j', (certificate, key, expected) => {
		expect(remote({client_cert: certificate, client_key: key}).tls.clientCertificate).toEqual(expected);
	});

	test.each([[['a.pem']], [['a', 'b', 'c', 'd']], [5], [['a', '']], [['a', 5]]])(
		'client_cert %j is an error',
		written => {
			expect(parse({url: 'http://h/', client_cert: written}).problems).toEqual([
				expect.stringMatching(
					/^error: entry: client_cert.*Allowed: a path, \[certificate, key\] or \[certificate, key, password\]$/u,
				),
			]);
		},
	);

	test('a key without a certificate is a warning', () => {
		expect(parse({url: 'http://h/', client_key: 'k.pem'}).problems).toEqual([
			'warning: entry: client_key: `client_key` has no effect unless `client_cert` is one path',
		]);
	});
});
