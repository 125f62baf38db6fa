import {describe, expect, test} from 'vitest';
import {ownUri, servedUri} from '../../../source/tools/endpoint/served-uri.ts';

const addresses = [
	{server: 'files', uri: 'note://one', served: 'sluice://resources/files/note://one'},
	{server: 'a/b c%ü', uri: 'x:1', served: 'sluice://resources/a%2Fb%20c%25%C3%BC/x:1'},
	{server: 'files', uri: 'file:///C:/a b/../%2F?q#f', served: 'sluice://resources/files/file:///C:/a b/../%2F?q#f'},
	{server: 'files', uri: 'note://{id}/{+path}{?q*}', served: 'sluice://resources/files/note://{id}/{+path}{?q*}'},
	{server: '{x}', uri: '{y}', served: 'sluice://resources/%7Bx%7D/{y}'},
	{
		server: 'files',
		uri: 'sluice://resources/other/x:1',
		served: 'sluice://resources/files/sluice://resources/other/x:1',
	},
	{server: 'files', uri: '', served: 'sluice://resources/files/'},
	{server: 'files', uri: '../other/x:1', served: 'sluice://resources/files/../other/x:1'},
	{server: 'apps', uri: 'ui://clock/face.html', served: 'ui://apps/clock/face.html'},
	{server: 'apps', uri: 'UI://clock', served: 'sluice://resources/apps/UI://clock'},
];

describe('the address of a resource', () => {
	test.each(addresses)('of $server is $served and leads back', ({server, uri, served}) => {
		expect(servedUri({server, uri})).toBe(served);
		expect(ownUri(served)).toEqual({server, uri});
	});

	test.each([
		'',
		'note://one',
		'sluice://resources/',
		'sluice://resources/files',
		'sluice://resources//note://one',
		'sluice://resources/%E0%A4%A/x:1',
		'sluice://resources/%66iles/x:1',
		'sluice://resources/files/ui://clock',
		'SLUICE://resources/files/x:1',
		'ui://apps',
		'ui:///x',
	])('%s is of no server', served => {
		expect(ownUri(served)).toBeUndefined();
	});
});
