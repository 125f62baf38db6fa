import {expect, test} from 'vitest';
import {createLastKey} from '../../../source/gateway/journal/last-key.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {attach, connect, quiet} from '../attached-window.ts';

test('the last key at any gateway counts, here or elsewhere', async () => {
	const clock = createFakeClock();
	let elsewhere: number | undefined;
	const keys = createLastKey(clock, () => elsewhere);
	expect([keys.facts(), keys.since()]).toEqual([{}, undefined]);
	elsewhere = 70_000;
	expect([keys.facts(), keys.since()]).toEqual([{}, 70_000]);
	keys.pressed();
	await clock.advance(30_000);
	expect([keys.facts(), keys.since()]).toEqual([{sinceKey: 30_000}, 30_000]);
	elsewhere = 2000;
	expect([keys.facts(), keys.since()]).toEqual([{sinceKey: 30_000}, 2000]);
});

test('a person is at a gateway once a window that decides says that a key was pressed, and by no open connection', async () => {
	const running = await runGateway(quiet);
	const {gateway} = running;
	const window = await attach(running);
	await expect.poll(() => window.shown().gateway.phase).toBe('running');
	const client = await connect(running);
	const watching = await client.openConsole({mode: 'read-only', terminal: '', browser: 'nowhere'});
	watching.subscribe(
		() => undefined,
		() => undefined,
	);
	await watching.call('console.key', {});
	const command = await connect(running);
	await expect(command.call('console.key', {}, {signal: neverAborted()})).rejects.toMatchObject({code: 'bad_usage'});
	expect(gateway.sinceLastKey()).toBe(undefined);
	await window.call('console.key', {});
	const since = gateway.sinceLastKey() ?? Number.NaN;
	expect(since).toBeGreaterThanOrEqual(0);
	expect(since).toBeLessThan(10_000);
	watching.close();
});
