import {existsSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openWing, stdioEntry, writeServers} from './open-wing.ts';

const signal = new AbortController().signal;
const origin = {kind: 'command-line'} as const;

describe('a lazy server', () => {
	/** A state directory whose lazy server was connected by an earlier gateway. */
	async function afterFirstRun(entry: object) {
		const home = temporaryDirectory();
		writeServers(home, {notes: {...entry, lazy: true, trust: 'untrusted'}});
		const first = await openWing(home);
		expect([first.row('notes')?.state, existsSync(first.paths.schemaCache)]).toEqual(['connected', true]);
		await first.stop();
		return openWing(home);
	}

	test('sleeps after the second start, with its tools registered', async () => {
		const {row, catalogue} = await afterFirstRun(stdioEntry('mcp-legacy.ts', 'stdio'));
		expect(row('notes')).toMatchObject({state: 'lazy', tools: 5});
		expect(catalogue.find('mcp__notes__echo')).toBeDefined();
	});

	test('sleeps on when the gate lets a call not pass', async () => {
		const {row, callTool} = await afterFirstRun(stdioEntry('mcp-legacy.ts', 'stdio'));
		const outcome = await callTool({name: 'mcp__notes__append', arguments: {}, origin}, {signal});
		expect(outcome).toMatchObject({error: {code: 'no_channel'}});
		expect(row('notes')).toMatchObject({state: 'lazy'});
	});

	test('wakes at the first call that the gate lets pass', async () => {
		const {row, callTool} = await afterFirstRun(stdioEntry('mcp-legacy.ts', 'stdio'));
		const outcome = await callTool({name: 'mcp__notes__echo', arguments: {text: 'awake'}, origin}, {signal});
		expect(outcome).toEqual({kind: 'result', result: 'awake'});
		expect(row('notes')).toMatchObject({state: 'connected'});
	});
});

describe('a lazy server that has changed in its sleep', () => {
	const changing = 'mcp-changing.ts';

	test('drops a tool that is gone, with a clear error', async () => {
		const home = temporaryDirectory();
		writeServers(home, {notes: {...stdioEntry(changing, `${home}/starts`), lazy: true}});
		await (await openWing(home)).stop();
		const {callTool, catalogue} = await openWing(home);
		expect(catalogue.find('mcp__notes__old')).toBeDefined();
		const outcome = await callTool({name: 'mcp__notes__old', arguments: {}, origin}, {signal});
		expect(outcome).toMatchObject({
			error: {code: 'unknown_tool', message: expect.stringContaining('no longer offers the tool "old"')},
		});
		expect(catalogue.find('mcp__notes__old')).toBeUndefined();
	});

	test('does not run a tool whose claim to be read-only let it pass the gate and is gone now', async () => {
		const home = temporaryDirectory();
		writeServers(home, {notes: {...stdioEntry(changing, `${home}/starts`), lazy: true, trust: 'untrusted'}});
		await (await openWing(home)).stop();
		const {callTool} = await openWing(home);
		const call = {name: 'mcp__notes__sly', arguments: {}, origin};
		expect(await callTool(call, {signal})).toMatchObject({error: {code: 'cancelled'}});
		expect(existsSync(`${home}/starts.called`)).toBe(false);
		expect(await callTool(call, {signal})).toMatchObject({error: {code: 'no_channel'}});
	});
});
