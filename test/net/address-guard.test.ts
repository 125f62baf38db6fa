import {describe, expect, test} from 'vitest';
import {checkAddress, isLocalHost, mayReach, type Reach} from '../../source/net/address-guard.ts';

const reaches = ['internet', 'networks', 'machine'] as const satisfies readonly Reach[];

describe('mayReach', () => {
	test.each<[string, readonly Reach[]]>([
		['93.184.216.34', ['internet', 'networks', 'machine']],
		['2606:4700::1111', ['internet', 'networks', 'machine']],
		['10.1.2.3', ['networks', 'machine']],
		['192.168.1.1', ['networks', 'machine']],
		['::ffff:10.0.0.1', ['networks', 'machine']],
		['fd12::1', ['networks', 'machine']],
		['100.64.0.9', ['networks', 'machine']],
		['127.0.0.1', ['machine']],
		['127.8.9.10', ['machine']],
		['::1', ['machine']],
		['::ffff:127.0.0.1', ['machine']],
		['0.0.0.0', []],
		['::', []],
		['169.254.169.254', []],
		['::ffff:169.254.169.254', []],
		['fe80::1', []],
		['100.100.100.200', []],
		['fd00:ec2::254', []],
		['fd00:0ec2:0:0:0:0:0:254', []],
		['64:ff9b::7f00:1', []],
		['2002:7f00:1::', []],
		['192.0.0.192', []],
		['198.18.0.1', []],
		['224.0.0.1', []],
		['255.255.255.255', []],
		['no address', []],
	])('%s may be reached with %j', (address, allowed) => {
		expect(reaches.filter(reach => mayReach(address, reach))).toEqual(allowed);
	});
});

describe('checkAddress', () => {
	test.each([
		'http://169.254.169.254/latest/meta-data',
		'http://2130706433/',
		'http://0x7f.1/',
		'http://017700000001/',
		'http://127.0.0.1./',
		'http://[::1]/',
		'http://[::ffff:127.0.0.1]/',
		'http://①②⑦.0.0.1/',
		'file:///etc/passwd',
		'javascript:alert(1)',
		'ftp://example.com/',
		'https://user:password@example.com/',
	])('%s is refused', address => {
		expect(() => checkAddress(new URL(address), 'internet')).toThrow('The address was not requested');
	});

	test.each(['https://example.com/a', 'http://93.184.216.34:8080/'])('%s passes', address => {
		expect(() => checkAddress(new URL(address), 'internet')).not.toThrow();
	});

	test('a name is left to the lookup', () => {
		expect(() => checkAddress(new URL('http://localhost/'), 'internet')).not.toThrow();
	});
});

test.each([
	['localhost', true],
	['localhost.', true],
	['app.localhost', true],
	['127.0.0.1', true],
	['[::1]', true],
	['notlocalhost', false],
	['localhost.example.com', false],
	['10.0.0.1', false],
])('isLocalHost: %s is %s', (host, expected) => {
	expect(isLocalHost(host)).toBe(expected);
});
