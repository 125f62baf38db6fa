import * as fastCheck from 'fast-check';
import {describe, expect, test} from 'vitest';
import {installNamePattern, parseInstallLink} from '../../../source/config/import/install-link.ts';
import {parseServerEntry} from '../../../source/config/servers/server-entry.ts';
import {sectionWithoutFile} from '../../../source/config/values/section.ts';
import {Problem} from '../../../source/util/problem.ts';

function encode(entry: unknown, encoding: 'base64' | 'base64url' = 'base64url'): string {
	return Buffer.from(typeof entry === 'string' ? entry : JSON.stringify(entry)).toString(encoding);
}

function link(entry: unknown, name = 'files'): string {
	return `sluice://mcp/install?name=${name}&config=${encode(entry)}`;
}

describe('an install link', () => {
	test.each([
		['an address', {url: 'https://example.com/mcp', headers: {'X-Team': 'a'}}],
		['a command', {command: 'npx', args: ['-y', 'server'], env: {LEVEL: '1'}}],
	])('carries %s, untrusted unless it says otherwise', (_what, entry) => {
		expect(parseInstallLink(link(entry))).toEqual({name: 'files', entry: {...entry, trust: 'untrusted'}, warnings: []});
	});

	test('may be standard base64, with its plus as it is or escaped', () => {
		const entry = {command: 'a', args: ['>>>???', 'ÿÿ~~ü']};
		const standard = encode(entry, 'base64');
		expect(standard).toMatch(/[+/]/);
		for (const config of [standard, encodeURIComponent(standard)]) {
			expect(parseInstallLink(`sluice://mcp/install?config=${config}&name=a`).entry).toMatchObject(entry);
		}
	});

	test('leaves trust as it is written, and drops keys that no entry has', () => {
		const {entry, warnings} = parseInstallLink(link({command: 'a', trust: 'full', type: 'stdio', constructor: 1}));
		expect([entry, warnings.length]).toEqual([{command: 'a', trust: 'full'}, 2]);
	});

	test('takes 32 KB and not a byte more', () => {
		const entry = (bytes: number) => ({command: 'x'.repeat(bytes - '{"command":""}'.length)});
		expect(() => parseInstallLink(link(entry(32 * 1024)))).not.toThrow();
		expect(() => parseInstallLink(link(entry(32 * 1024 + 1)))).toThrow('larger than 32 KB');
	});

	test.each([
		['another scheme', 'https://mcp/install?name=a&config=e30', 'must begin'],
		['another path', 'sluice://mcp/remove?name=a&config=e30', 'must begin'],
		['no name', `sluice://mcp/install?config=${encode({command: 'a'})}`, 'no `name`'],
		['an empty name', link({command: 'a'}, ''), 'its name'],
		['a name with a slash', link({command: 'a'}, 'a%2Fb'), 'its name'],
		['a name of 65 characters', link({command: 'a'}, 'a'.repeat(65)), 'its name'],
		['a name with a line break at its end', link({command: 'a'}, 'a%0A'), 'its name'],
		['two names', `${link({command: 'a'})}&name=b`, 'more than once'],
		['no config', 'sluice://mcp/install?name=a', 'no `config`'],
		['no base64', 'sluice://mcp/install?name=a&config=e3$0', 'base64'],
		['both alphabets at once', 'sluice://mcp/install?name=a&config=a-b%2Bc', 'base64'],
		['half a percent sign', 'sluice://mcp/install?name=a&config=%E0%A4%A', 'percent'],
		[
			'no UTF-8',
			`sluice://mcp/install?name=a&config=${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}`,
			'UTF-8',
		],
		['no JSON', link('{command: a}'), 'JSON object'],
		['a list', link(['npx']), 'JSON object'],
		['a scalar', link('"npx"'), 'JSON object'],
		['nothing', link('null'), 'JSON object'],
		['deep nesting', link(`{"command":"a","args":${'['.repeat(30)}${']'.repeat(30)}}`), 'JSON object'],
		['neither url nor command', link({args: ['a']}), 'text `url` or a text `command`'],
		['a command that is no text', link({command: ['npx']}), 'text `command`'],
		['a folder', link({command: 'a', cwd: '/etc'}), 'must not set `cwd`'],
		['a file of variables', link({command: 'a', env_file: '~/.env'}), 'must not set `env_file`'],
		['variables of this machine', link({command: 'a', pass_env: ['GH_TOKEN']}), 'must not set `pass_env`'],
		['one of them for an address', link({url: 'https://h/', env_file: null}), 'must not set `env_file`'],
		['a blank command', link({command: ' '}), 'text `command`'],
		['a url that is no text', link({url: {a: 1}, command: 'a'}), 'url'],
		['an ftp address', link({url: 'ftp://h/mcp'}), 'url'],
		['a javascript address', link({url: 'javascript:alert(1)'}), 'url'],
		['an address that is none', link({url: 'http://'}), 'url'],
		['a scheme from a variable', link({url: '${A}://h'}), 'url'],
		['a value of the wrong kind', link({command: 'a', env: ['A=1']}), 'env'],
	])('with %s is refused, and says why', (_what, text, why) => {
		expect(() => parseInstallLink(text)).toThrow(
			expect.objectContaining({code: 'link_refused', message: expect.stringContaining(why)}),
		);
	});
});

describe('whatever the link', () => {
	/** The links that the six rules of the specification allow, written independently of the program's check. */
	function isAllowed({name, entry}: ReturnType<typeof parseInstallLink>): boolean {
		const {url, command} = entry;
		return (
			installNamePattern.test(name) &&
			(typeof url === 'string' ? /^https?:$/.test(new URL(url).protocol) : typeof command === 'string') &&
			parseServerEntry(name, entry, sectionWithoutFile('test')).kind === 'server'
		);
	}

	const member = fastCheck.oneof(fastCheck.string({unit: 'binary', maxLength: 12}), fastCheck.jsonValue({maxDepth: 3}));
	const key = fastCheck.constantFrom(
		'url',
		'command',
		'args',
		'env',
		'headers',
		'trust',
		'enabled',
		'__proto__',
		'type',
	);
	const address = fastCheck.oneof(
		fastCheck.webUrl(),
		fastCheck.constantFrom('file:///etc', 'HTTP://a', 'https:a', ' http://a'),
	);
	const entries = fastCheck.oneof(
		fastCheck.dictionary(key, member),
		fastCheck.record({url: address, headers: member}, {requiredKeys: ['url']}),
		fastCheck.record({command: fastCheck.string(), args: member, env: member}, {requiredKeys: ['command']}),
		member,
	);
	const names = fastCheck.oneof(fastCheck.string({maxLength: 70}), fastCheck.stringMatching(/^[\w.-]{1,64}$/));
	const usable = fastCheck.oneof(
		fastCheck.record(
			{url: fastCheck.webUrl(), trust: fastCheck.constantFrom('full', 'other')},
			{requiredKeys: ['url']},
		),
		fastCheck.record({command: fastCheck.stringMatching(/^\S+$/), args: fastCheck.array(member)}),
	);
	const links = fastCheck.oneof(
		fastCheck.tuple(fastCheck.stringMatching(/^[\w.-]{1,64}$/), usable).map(([name, entry]) => link(entry, name)),
		fastCheck.tuple(names, entries).map(([name, entry]) => link(entry, encodeURIComponent(name))),
		fastCheck
			.tuple(names, fastCheck.string())
			.map(([name, config]) => `sluice://mcp/install?name=${name}&config=${config}`),
		fastCheck.string().map(text => `sluice://mcp/install?${text}`),
		fastCheck.string({unit: 'binary'}),
	);

	test('it is allowed by every rule or refused as a whole', () => {
		let accepted = 0;
		fastCheck.assert(
			fastCheck.property(links, text => {
				try {
					const install = parseInstallLink(text);
					accepted++;
					return isAllowed(install);
				} catch (error) {
					return error instanceof Problem && error.code === 'link_refused';
				}
			}),
			{numRuns: 3000},
		);
		expect(accepted).toBeGreaterThan(100);
	});
});
