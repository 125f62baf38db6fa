import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openLogFile} from '../../source/journal/log-file.ts';
import {type GatewayEvent} from '../../source/state/event.ts';
import {eventJson} from '../../source/state/event-json.ts';
import {systemClock} from '../../source/util/clock.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const event = (seq: number, text = 'hello'): GatewayEvent => ({
	seq,
	time: 1_700_000_000_000,
	profile: 'default',
	type: 'log',
	level: 'info',
	area: 'test',
	text,
});

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);

test('every event is one line, in order, once the file is closed', async () => {
	const path = join(temporaryDirectory(), 'logs', 'sluice.log');
	const log = await openLogFile({clock: systemClock, path});
	const events = Array.from({length: 1000}, (_, seq) => event(seq));
	events.forEach(log.write);
	await log.close();
	expect(linesOf(path)).toEqual(events.map(event => eventJson(event)));
});

test('a text with line breaks stays one line', async () => {
	const path = join(temporaryDirectory(), 'sluice.log');
	const log = await openLogFile({clock: systemClock, path});
	log.write(event(1, 'a\nb\r\nc'));
	await log.close();
	expect(linesOf(path)).toHaveLength(1);
});

test('a second opening appends', async () => {
	const path = join(temporaryDirectory(), 'sluice.log');
	for (const seq of [1, 2]) {
		const log = await openLogFile({clock: systemClock, path});
		log.write(event(seq));
		await log.close();
	}

	expect(linesOf(path)).toEqual([event(1), event(2)].map(event => eventJson(event)));
});

test('folder and file are for their owner only', async () => {
	const directory = join(temporaryDirectory(), 'logs');
	const log = await openLogFile({clock: systemClock, path: join(directory, 'sluice.log')});
	await log.close();
	expect([statSync(directory), statSync(join(directory, 'sluice.log'))].map(({mode}) => mode & 0o777)).toEqual([
		0o700, 0o600,
	]);
});

test('a full file is put aside when it is opened', async () => {
	const path = join(temporaryDirectory(), 'sluice.log');
	writeFileSync(path, 'former\n'.repeat(20));
	const log = await openLogFile({clock: systemClock, path, maximumBytes: 135});
	log.write(event(1));
	await log.close();
	expect([linesOf(path), linesOf(`${path}.1`)[0]]).toEqual([[eventJson(event(1))], 'former']);
});

test('a file that grows full while open is put aside, no line of the last two files is lost', async () => {
	const path = join(temporaryDirectory(), 'sluice.log');
	const lineBytes = eventJson(event(10)).length + 1;
	const log = await openLogFile({clock: systemClock, path, maximumBytes: 10 * lineBytes});
	const events = Array.from({length: 15}, (_, index) => event(10 + index));
	events.forEach(log.write);
	await log.close();
	const kept = [...(existsSync(`${path}.1`) ? linesOf(`${path}.1`) : []), ...linesOf(path)];
	expect(kept).toEqual(events.map(event => eventJson(event)));
	expect(existsSync(`${path}.1`)).toBe(true);
});

test('a path that cannot be written is refused with its name', async () => {
	const path = join(temporaryDirectory(), 'file');
	writeFileSync(path, '');
	await expect(openLogFile({clock: systemClock, path: join(path, 'sluice.log')})).rejects.toMatchObject({
		code: 'config_unreadable',
		message: `The log cannot be written: ${path}/sluice.log`,
	});
});

test('after closing, an event is dropped in silence', async () => {
	const path = join(temporaryDirectory(), 'sluice.log');
	const log = await openLogFile({clock: systemClock, path});
	await log.close();
	log.write(event(1));
	await log.close();
	expect(linesOf(path)).toEqual([]);
});

test('events of the turn in which the process exits are in the file', () => {
	const path = join(temporaryDirectory(), 'sluice.log');
	const program = `
		import {statSync} from 'node:fs';
		import {systemClock} from ${JSON.stringify(new URL('../../source/util/clock.ts', import.meta.url).href)};
		import {openLogFile} from ${JSON.stringify(new URL('../../source/journal/log-file.ts', import.meta.url).href)};
		const log = await openLogFile({clock: systemClock, path: ${JSON.stringify(path)}});
		log.write(${JSON.stringify(event(1))});
		while (statSync(${JSON.stringify(path)}).size === 0) {
			await new Promise(resolve => setImmediate(resolve));
		}
		log.write(${JSON.stringify(event(2))});
		process.exit(0);
	`;
	execFileSync(process.execPath, ['--input-type=module', '--eval', program]);
	expect(linesOf(path)).toEqual([event(1), event(2)].map(event => eventJson(event)));
});
