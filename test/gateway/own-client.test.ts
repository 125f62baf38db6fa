import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {methods} from '../../source/control/methods.ts';
import {openOwnClient} from '../../source/gateway/own-client.ts';
import {type MethodName, type ParamsOf} from '../../source/state/api.ts';
import {createTestRuntime} from '../helpers/gateway-parts.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** A state directory whose server leaves a file when its process starts. */
function openDirectory() {
	const home = temporaryDirectory();
	const started = join(home, 'started');
	const script = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`;
	const garden = {command: process.execPath, args: ['-e', script]};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: {garden}}));
	const own = openOwnClient(createTestRuntime(home), {signal: neverAborted(), report: () => undefined});
	onTestFinished(own.close);
	const files = () =>
		readdirSync(home, {recursive: true, withFileTypes: true}).flatMap(entry => (entry.isDirectory() ? [] : entry.name));
	const before = new Set(files());
	return {own, isStarted: () => existsSync(started), made: () => files().filter(file => !before.has(file))};
}

const journal = /^journal\.db/u;

/** Every listing without a gateway, and the files that it may leave. */
const listings: ReadonlyArray<{readonly [Name in MethodName]: readonly [Name, ParamsOf<Name>]}[MethodName]> = [
	['events.list', {limit: 1}],
	['events.show', {id: 'none'}],
	['deliveries.failed', {}],
	['runs.list', {limit: 1}],
	['runs.show', {id: 'none'}],
	['calls.list', {limit: 1}],
	['calls.show', {id: 'none'}],
	['calls.page', {since: null, before: null}],
	['uncertain.list', {}],
	['rules.list', {}],
	['rules.test', {server: 'garden', tool: 'append', arguments: {}}],
	['hold.show', {}],
	['cron.list', {}],
];

test.each(listings)(
	'%s without a gateway starts no server and touches no other file than a journal it declares',
	async (name, params) => {
		const {own, isStarted, made} = openDirectory();
		await own.call(name, params);
		const {opens = []} = methods[name];
		const rest = made().filter(file => !(opens.includes('journal') && journal.test(file)));
		expect(rest).toEqual([]);
		expect(isStarted()).toBe(false);
	},
);

test('mcp.list without a gateway starts its servers', async () => {
	const {own, isStarted} = openDirectory();
	expect(await own.call('mcp.list', {})).toMatchObject([{name: 'garden'}]);
	expect(isStarted()).toBe(true);
});

test('a method that needs a gateway is refused, and opens nothing', async () => {
	const {own, made} = openDirectory();
	await expect(own.call('status', {})).rejects.toMatchObject({code: 'gateway_not_running'});
	expect(made()).toEqual([]);
});
