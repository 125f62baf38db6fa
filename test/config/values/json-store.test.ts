import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {z} from 'zod';
import {createJsonStore} from '../../../source/config/values/json-store.ts';
import {tryProcessLock} from '../../../source/util/process-lock.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const racer = fileURLToPath(new URL('../../fixtures/store-racer.ts', import.meta.url));
const clock = createFakeClock();
const schema = z.object({rules: z.array(z.object({id: z.string()}))});

function open(directory = temporaryDirectory()) {
	return createJsonStore({directory, name: 'rules', schema, fallback: {rules: []}});
}

test('a missing file is the fallback and is not made', () => {
	const store = open();
	expect([store.read(), existsSync(store.place)]).toEqual([{rules: []}, false]);
});

test('what was written is read by another process', async () => {
	const directory = temporaryDirectory();
	await open(directory).update(() => ({rules: [{id: 'a'}]}), clock);
	expect(open(directory).read()).toEqual({rules: [{id: 'a'}]});
});

test('what another process wrote is seen by a store that is open', async () => {
	const store = open();
	await store.update(() => ({rules: []}), clock);
	writeFileSync(store.place, '{"rules":[{"id":"b"}]}');
	expect(store.read()).toEqual({rules: [{id: 'b'}]});
});

test('the file is for this user alone, in a folder for this user alone', async () => {
	const directory = join(temporaryDirectory(), 'deeper');
	const store = open(directory);
	await store.update(() => ({rules: []}), clock);
	expect([statSync(store.place).mode & 0o777, statSync(directory).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('writing leaves no other file behind', async () => {
	const directory = temporaryDirectory();
	await open(directory).update(() => ({rules: []}), clock);
	expect(readdirSync(directory)).toEqual(['rules.json']);
});

test('names with dots are names, not paths', async () => {
	const directory = temporaryDirectory();
	const store = createJsonStore({directory, name: 'dots', schema: z.record(z.string(), z.number()), fallback: {}});
	await store.update(() => ({'a.b': 1, a: 2}), clock);
	expect(store.read()).toEqual({'a.b': 1, a: 2});
});

describe('an invalid file', () => {
	const invalid: ReadonlyArray<readonly [string, string, string]> = [
		['{broken', 'config_syntax', 'is not a JSON object'],
		['', 'config_syntax', 'is not a JSON object'],
		['[1]', 'config_syntax', 'is not a JSON object'],
		['5', 'config_syntax', 'is not a JSON object'],
		['{"rules":[{"id":5}]}', 'config_invalid', 'rules[0].id: A number is not allowed here. Allowed: text'],
		['{}', 'config_invalid', 'rules: A value is missing here. Allowed: a list'],
	];

	test.each(invalid)('%j is a problem that names the file, and how it is moved away', (text, code, message) => {
		const store = open();
		writeFileSync(store.place, text);
		expect(() => store.read()).toThrow(
			expect.objectContaining({
				code,
				remedy: `Repair ${store.place}, or move it away with \`mv ${store.place} ${store.place}.broken\``,
				message: expect.stringMatching(
					new RegExp(`^${store.place}:? .*${message.replaceAll(/[[\].]/gu, '\\$&')}$`, 'u'),
				),
			}),
		);
	});

	test.each(invalid)('%j is neither cleared by reading nor overwritten', async text => {
		const store = open();
		writeFileSync(store.place, text);
		expect(() => store.read()).toThrow();
		await expect(store.update(() => ({rules: []}), clock)).rejects.toThrow();

		expect(readFileSync(store.place, 'utf8')).toBe(text);
	});
});

describe('a change', () => {
	const add = (id: string) => (value: {rules: {id: string}[]}) => ({rules: [...value.rules, {id}]});

	test('is made to what another store wrote meanwhile', async () => {
		const directory = temporaryDirectory();
		const stores = [open(directory), open(directory), open(directory)];
		stores.forEach(store => store.read());
		await Promise.all(stores.map((store, index) => store.update(add(String(index)), systemClock)));
		const ids = open(directory)
			.read()
			.rules.map(({id}) => id);
		expect(ids.sort()).toEqual(['0', '1', '2']);
	});

	test('of nothing writes nothing and needs no lock', async () => {
		const store = open();
		const lock = await tryProcessLock(`${store.place}.lock`);
		await store.update(value => value, clock);
		expect(existsSync(store.place)).toBe(false);
		lock?.release();
	});

	test('waits for the holder of the lock, and is made to what is in the file by then; reading waits for nobody', async () => {
		const own = createFakeClock();
		const store = open();
		const lock = await tryProcessLock(`${store.place}.lock`);
		const update = store.update(add('mine'), own);
		expect(store.read()).toEqual({rules: []});
		writeFileSync(store.place, '{"rules":[{"id":"theirs"}]}');
		lock?.release();
		await own.advance(50);
		await update;
		expect([store.read().rules.map(({id}) => id), own.open()]).toEqual([['theirs', 'mine'], 0]);
	});

	test('gives up after ten seconds, and names the lock', async () => {
		const own = createFakeClock();
		const store = open();
		const lock = await tryProcessLock(`${store.place}.lock`);
		const ending = expect(store.update(add('mine'), own)).rejects.toMatchObject({
			code: 'config_unreadable',
			message: `${store.place}.lock is held by another process`,
		});
		await own.advance(10_000);
		await ending;
		expect([existsSync(store.place), own.open()]).toEqual([false, 0]);
		lock?.release();
	});

	test('that fails leaves the file as it was, and no lock', async () => {
		const directory = temporaryDirectory();
		const store = open(directory);
		await store.update(add('a'), clock);
		const fail = () => {
			throw new Error('no');
		};

		const failing = store.update(() => ({rules: [{id: 'b', toJSON: fail}]}), clock);
		await expect(failing).rejects.toThrow('no');
		await store.update(add('c'), clock);
		expect([store.read().rules.map(({id}) => id), readdirSync(directory)]).toEqual([['a', 'c'], ['rules.json']]);
	});

	test('by another process is never lost, nor is the file when one of them is killed under the lock', async () => {
		const directory = temporaryDirectory();
		const race = async (...args: readonly string[]) => {
			const child = spawn(process.execPath, [racer, directory, ...args], {stdio: ['ignore', 'ignore', 'inherit']});
			const [code, signal] = await once(child, 'close');
			return code ?? signal;
		};

		const ends = await Promise.all([race('a', '20'), race('b', '20'), race('c', '20', 'killed')]);
		const store = createJsonStore({directory, name: 'race', schema: z.record(z.string(), z.number()), fallback: {}});
		await store.update(members => ({...members, after: 0}), clock);
		expect([ends, Object.keys(store.read()).length]).toEqual([[0, 0, 'SIGKILL'], 60]);
		expect(readdirSync(directory)).toEqual(['race.json']);
	}, 30_000);
});

test.runIf(process.getuid?.() !== 0)(
	'a file in a folder that must not be written is read, and a change of it says why it fails',
	async () => {
		const directory = temporaryDirectory();
		const store = open(directory);
		writeFileSync(store.place, '{"rules":[{"id":"a"}]}');
		chmodSync(directory, 0o500);
		onTestFinished(() => chmodSync(directory, 0o700));
		expect(store.read()).toEqual({rules: [{id: 'a'}]});
		await expect(store.update(() => ({rules: []}), clock)).rejects.toMatchObject({
			code: 'config_unreadable',
			message: expect.stringContaining('cannot be written: no permission'),
		});
	},
);
