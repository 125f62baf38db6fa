import {describe, expect, test} from 'vitest';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openForAll} from '../helpers/on-test-finished.ts';
import {
	callForText,
	httpTransport,
	openConnections,
	serverConfig,
	startListening,
	stdioFixture,
} from './fixture-servers.ts';

/** A legacy server over HTTP, for every entry that leads to it. */
const legacyOverHttp = openForAll(() => startListening('mcp-legacy.ts', 'http'));

const protocolVersions = {legacy: '2025-11-25', stateless: '2026-07-28'} as const;

describe('every kind of server answers a call', () => {
	test.each([
		{name: 'legacy', protocol: 'auto', args: ['mcp-legacy.ts', 'stdio'], era: 'legacy'},
		{name: 'both eras', protocol: 'auto', args: ['mcp-both-eras.ts', 'stdio'], era: 'legacy'},
		{name: 'both eras', protocol: 'stateless', args: ['mcp-both-eras.ts', 'stdio'], era: 'stateless'},
		{name: 'modern only', protocol: 'auto', args: ['mcp-both-eras.ts', 'stdio', '--modern-only'], era: 'stateless'},
		{name: 'legacy', protocol: 'stateless', args: ['mcp-legacy.ts', 'stdio'], era: 'legacy'},
	] as const)('$name over stdio with protocol $protocol is $era', async ({protocol, args: [file, ...args], era}) => {
		const {connections, until} = openConnections([serverConfig(stdioFixture(file, ...args), {protocol})]);
		await connections.settled(neverAborted());
		expect(await until(state => state.state !== 'connecting')).toMatchObject({
			state: 'connected',
			era,
			protocolVersion: protocolVersions[era],
		});
		expect(await callForText(connections, 'echo', {text: 'hello'})).toBe('hello');
	});

	test.each([
		{name: 'legacy', protocol: 'auto', args: ['mcp-legacy.ts', 'http'], era: 'legacy', kind: 'http'},
		{name: 'legacy', protocol: 'stateless', args: ['mcp-legacy.ts', 'http'], era: 'legacy', kind: 'http'},
		{name: 'both eras', protocol: 'stateless', args: ['mcp-both-eras.ts', 'http'], era: 'stateless', kind: 'http'},
		{
			name: 'modern only',
			protocol: 'auto',
			args: ['mcp-both-eras.ts', 'http', '--modern-only'],
			era: 'stateless',
			kind: 'http',
		},
		{name: 'legacy', protocol: 'auto', args: ['mcp-legacy.ts', 'sse'], era: 'legacy', kind: 'sse'},
	] as const)(
		'$name over $kind with protocol $protocol is $era',
		async ({protocol, args: [file, ...args], era, kind}) => {
			const isLegacyHttp = file === 'mcp-legacy.ts' && kind === 'http';
			const {url} = isLegacyHttp ? legacyOverHttp() : await startListening(file, ...args);
			const {connections, until} = openConnections([serverConfig(httpTransport(url, kind), {protocol})]);
			await connections.settled(neverAborted());
			expect(await until(state => state.state !== 'connecting')).toMatchObject({
				state: 'connected',
				era,
				protocolVersion: protocolVersions[era],
				transport: kind,
			});
			expect(await callForText(connections, 'echo', {text: 'hello'})).toBe('hello');
		},
	);
});
