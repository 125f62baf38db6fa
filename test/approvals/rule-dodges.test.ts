import {describe, expect, test} from 'vitest';
import {type Rule} from '../../source/approvals/rule.ts';
import {type JsonObject, type JsonValue} from '../../source/util/json-text.ts';
import {rule, verdictOf} from './one-rule.ts';

const denyHost = rule({
	action: 'deny',
	server: 'web',
	arguments: {url: {host: ['169.254.169.254', 'metadata.internal']}},
});
const denyPath = rule({action: 'deny', server: 'files', tool: 'read', arguments: {path: {prefix: '/etc/secret'}}});
const denyGlob = rule({action: 'deny', server: 'files', tool: 'read', arguments: {path: {glob: '/srv/*.pem'}}});
const denyText = rule({action: 'deny', server: 'shop', tool: 'pay', arguments: {'to.account': {equals: 'mallory'}}});
const denyAmount = rule({action: 'deny', server: 'shop', tool: 'pay', arguments: {'order.amount': {min: 1000}}});

/** Every way to write the address 169.254.169.254 that a URL parser or a resolver of addresses takes. */
const addresses = [
	'169.254.169.254',
	'169.254.43518',
	'169.16689662',
	'2852039166',
	'0xa9fea9fe',
	'0XA9FEA9FE',
	'025177524776',
	'0xa9.0xfe.0xa9.0xfe',
	'0251.0376.0251.0376',
	'169.0xfe.169.0376',
	'0xa9.254.0xa9fe',
	'169.254.169.254.',
	'[::ffff:169.254.169.254]',
	'[::ffff:a9fe:a9fe]',
	'[::FFFF:A9FE:A9FE]',
	'[0:0:0:0:0:ffff:a9fe:a9fe]',
	'[0000:0000:0000:0000:0000:ffff:a9fe:a9fe]',
	'[::169.254.169.254]',
	'[::a9fe:a9fe]',
	'[64:ff9b::169.254.169.254]',
	'[64:ff9b::a9fe:a9fe]',
	'[64:FF9B:0::A9FE:A9FE]',
	'[64:ff9b:1::a9fe:a9fe]',
	'[64:ff9b:1:abcd::169.254.169.254]',
	'[64:ff9b:1:a9fe:a9:fe00::]',
	'[64:ff9b:1:a9:fe:a9fe::]',
	'[64:ff9b:1:7:a9:fea9:fe00:0]',
	'[::ffff:0:a9fe:a9fe]',
	'１６９.254.169.254',
	'169。254。169。254',
	'169．254．169．254',
	'①⑥⑨.254.169.254',
	'%31%36%39.254.169.254',
];
const names = [
	'metadata.internal',
	'METADATA.internal',
	'metadata.internal.',
	'ｍetadata.internal',
	'mеtadata.internal',
	'metadata。internal',
	'meta%64ata.internal',
	'metadata.іnternal',
	'metadata­.internal',
];
const hostDodges = [...addresses, ...names].flatMap(host => [
	`http://${host}/latest`,
	`https://user:pass@${host}:8443/`,
	`ftp://${host}`,
	`HTTP:\\\\${host}\\x`,
]);

const paths = [
	'/etc/secret',
	'/etc/secret/',
	'//etc//secret',
	'/etc/./secret/a',
	'/etc/x/../secret/a',
	'/x/../etc/secret',
	'/ETC/secret',
	'/etc/SECRET/a',
	'/еtc/secret',
	'/etc/ѕecret',
	'/ｅtc/secret',
	'/etc/secrét/../../etc/secret',
	'etc/secret',
	'../etc/secret',
	'./../../etc/secret',
	'~/../../etc/secret',
	'~root/etc',
	'file:///etc/secret',
	'/etc%2fsecret',
	'%2fetc%2fsecret',
	'/%65tc/secret',
	'/etc\\secret',
	'\\etc\\secret',
	'/etc/secret\0.txt',
	'/etc/secret\n',
	'/etc/​secret',
	'/etc/sec­ret',
	'/etc/secret‮',
	'$HOME/../etc/secret/%',
];
const values = (text: string): readonly JsonValue[] => [text, [text], [[text]], {path: text}, [text, '/srv/ok']];
const pathDodges = paths.flatMap(values);

const globDodges = [
	'/srv/a.pem',
	'/srv/A.PEM',
	'/srv/b/../a.pem',
	'/srv/a%2Epem',
	'/srv/а.pem',
	'srv/a.pem',
	'/srv/a.pem%',
];

const mallory = ['mallory', 'Mallory', 'MALLORY', 'mаllory', 'ｍallory', 'mall\u043Ery', 'mal\u00ADlory', '%6dallory'];
const textDodges: readonly JsonObject[] = [
	...mallory.map(account => ({to: {account}})),
	...mallory.map(account => ({'to.account': account})),
	...mallory.map(account => ({TO: {Account: account}})),

	{to: 'mallory'},
	{to: [{account: 'mallory'}]},
	{to: {account: ['mallory', 'x']}},
	{to: {account: {id: 'mallory'}}},

	{},
	{to: {}},
	{to: null},
	{to: {account: null}},
	{to: {account: 7}},
	{'to.account': 'bob', to: {account: 'mallory'}},
];
const amountDodges: readonly JsonObject[] = [
	...[1000, 1e3, 1e21, 1000.5, '1000', '１０００', [1000], [5, 5000], null, {value: 1000}].map(amount => ({
		order: {amount},
	})),
	{'order.amount': 1000},
	{ORDER: {AMOUNT: 1000}},
	{'Order.Amount': 5000},
	{},
	{order: {}},
	{order: 1000},
];

describe('a dodge of a deny rule is denied or asked about', () => {
	const dodges: ReadonlyArray<readonly [Rule, readonly JsonObject[]]> = [
		[denyHost, hostDodges.map(url => ({url}))],
		[denyPath, pathDodges.map(path => ({path}))],
		[denyGlob, globDodges.map(path => ({path}))],
		[denyText, textDodges],
		[denyAmount, amountDodges],
	];

	test('there are 200 and more, and each rule lets another call through', () => {
		expect(dodges.flatMap(([, all]) => all).length).toBeGreaterThan(200);
		const harmless: readonly JsonObject[] = [
			{url: 'https://example.com/'},
			{path: '/srv/ok'},
			{path: '/srv/ok'},
			{to: {account: 'bob'}},
			{order: {amount: 5}},
		];
		expect(dodges.map(([one], index) => verdictOf(one, harmless[index] ?? {}))).toEqual(dodges.map(() => 'none'));
	});

	test.each(dodges)('$arguments', (one, all) => {
		expect(all.filter(args => !['deny', 'ask'].includes(verdictOf(one, args)))).toEqual([]);
	});
});
