import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type TokenRecord} from '../../../source/oauth/protocol/token-record.ts';
import {openTokenStore, tokenFileName} from '../../../source/oauth/tokens/token-store.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {tryProcessLock} from '../../../source/util/process-lock.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const record: TokenRecord = {
	serverUrl: 'https://mcp.example/mcp',
	resource: 'https://mcp.example/mcp',
	authorizationServer: {issuer: 'https://as.example', token_endpoint: 'https://as.example/token'},
	client: {kind: 'registered', client_id: 'one', client_secret: 'two-two-two'},
	tokens: {access_token: 'access-1', token_type: 'Bearer', refresh_token: 'refresh-1'},
	expiresAt: 1_800_000_000_000,
};

function open() {
	const directory = join(temporaryDirectory(), 'mcp-tokens');
	const learnt: string[] = [];
	const store = openTokenStore({directory, clock: systemClock, learn: secret => void learnt.push(secret)});
	return {store, directory, learnt};
}

test('a stop can wait for what is being written', async () => {
	const {store} = open();
	const refreshed = Promise.withResolvers<TokenRecord>();
	const update = store.update('one', () => refreshed.promise);
	const request: string[] = [];
	const over = store.over().then(() => request.push('over'));
	void update.then(() => request.push('written'));
	refreshed.resolve(record);
	await over;
	expect([request, await store.read('one')]).toEqual([['written', 'over'], record]);
});

test('a stop does not wait for ever', async () => {
	const clock = createFakeClock();
	const store = openTokenStore({directory: temporaryDirectory(), clock, learn: () => undefined});
	void store.update('one', () => new Promise(() => {}));
	let isOver = false;
	void store.over().then(() => (isOver = true));
	await clock.advance(29_999);
	const before = isOver;
	await clock.advance(1);
	expect([before, isOver]).toEqual([false, true]);
});

describe('file names', () => {
	test.each([
		['github', 'github'],
		['my-server_1.0', 'my-server_1.0'],
		['..', '%2E.'],
		['.hidden', '%2Ehidden'],
		['../../etc/passwd', '%2E.%2F..%2Fetc%2Fpasswd'],
		['a/b', 'a%2Fb'],
		['a\\b', 'a%5Cb'],
		['a\0b', 'a%00b'],
		['GitHub', '%47it%48ub'],
		['50%', '50%25'],
		['ü', '%C3%BC'],
	])('%j is %s', (server, name) => {
		expect(tokenFileName(server)).toBe(name);
	});

	test('stay in their folder and never meet, whatever the names and whatever the case', () => {
		fc.assert(
			fc.property(fc.string({minLength: 1, maxLength: 8}), fc.string({minLength: 1, maxLength: 8}), (one, two) => {
				const [first, second] = [tokenFileName(one), tokenFileName(two)];
				const stays = basename(first) === first && first !== '.' && first !== '..';
				return stays && (one === two || first.toLowerCase() !== second.toLowerCase());
			}),
		);
	});

	test('of very long names fit and never meet', () => {
		const names = ['a'.repeat(500), 'a'.repeat(501), `${'a'.repeat(500)}b`].map(tokenFileName);
		expect(new Set(names).size).toBe(3);
		expect(Math.max(...names.map(name => name.length))).toBeLessThanOrEqual(180);
	});
});

describe('a token file', () => {
	test('holds what was stored, readable by its owner alone', async () => {
		const {store, directory} = open();
		await store.update('one', () => record);
		const path = join(directory, 'one.json');
		expect([statSync(path).mode & 0o777, statSync(directory).mode & 0o777]).toEqual([0o600, 0o700]);
		expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({version: 1, ...record});
		expect(await store.read('one')).toEqual(record);
	});

	test('of another process is seen at the next read', async () => {
		const {store, directory} = open();
		const other = openTokenStore({directory, clock: systemClock, learn: () => undefined});
		expect(await store.read('one')).toBeUndefined();
		await other.update('one', () => record);
		expect(await store.read('one')).toEqual(record);
	});

	test.each(['', '{', '{"version": 2}', '[]', 'null'])('that holds %j counts as none', async text => {
		const {store, directory} = open();
		mkdirSync(directory, {recursive: true});
		writeFileSync(join(directory, 'one.json'), text);
		expect(await store.read('one')).toBeUndefined();
	});

	test('stays as it was when a change fails, and nothing else is left behind', async () => {
		const {store, directory} = open();
		await store.update('one', () => record);
		await expect(store.update('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
		expect(await store.read('one')).toEqual(record);
		expect(readdirSync(directory)).toEqual(['one.json']);
	});

	test('its secrets are learnt, so that no text shows them', async () => {
		const {store, learnt} = open();
		await store.update('one', () => record);
		expect(learnt).toEqual(expect.arrayContaining(['access-1', 'refresh-1', 'two-two-two']));
	});

	test('is gone when a change says so', async () => {
		const {store, directory} = open();
		await store.update('one', () => record);
		await store.update('one', () => undefined);
		expect(readdirSync(directory)).toEqual([]);
	});
});

test('the marker of a refused document is a file of its own', async () => {
	const {store, directory} = open();
	await store.markDocument('one', 'refused');
	expect([await store.hasRefusedDocument('one'), existsSync(join(directory, 'one.cimd-off'))]).toEqual([true, true]);
	await store.markDocument('one', 'usable');
	expect(await store.hasRefusedDocument('one')).toBe(false);
});

describe('changes of one file', () => {
	test('wait for each other, from every store', async () => {
		const {store, directory} = open();
		const other = openTokenStore({directory, clock: systemClock, learn: () => undefined});
		await store.update('one', () => ({...record, expiresAt: 0}));
		await Promise.all(
			Array.from({length: 10}, (_, index) =>
				(index % 2 === 0 ? store : other).update('one', current => ({
					...record,
					expiresAt: (current?.expiresAt ?? 0) + 1,
				})),
			),
		);
		expect((await store.read('one'))?.expiresAt).toBe(10);
	});

	test.each([
		['a process that is gone', '999999999 abc', 0],
		['a process that held it far too long', `${process.pid} abc`, 300],
		['a process that was killed', '', 0],
	])('do not wait for the file of %s', async (_, holder, age) => {
		const {store, directory} = open();
		mkdirSync(directory, {recursive: true});
		const lock = join(directory, 'one.lock');
		writeFileSync(lock, holder);
		const then = Date.now() / 1000 - age;
		utimesSync(lock, then, then);
		await store.update('one', () => record);
		expect(readdirSync(dirname(lock))).toEqual(['one.json']);
	});

	test('wait for a lock that is held a minute at most', async () => {
		const directory = temporaryDirectory();
		const clock = createFakeClock();
		const store = openTokenStore({directory, clock, learn: () => undefined});
		const path = join(directory, 'one.lock');
		const lock = await tryProcessLock(path);
		let isOver = false;
		const update = store.update('one', () => record).finally(() => (isOver = true));
		const ending = expect(update).rejects.toMatchObject({
			code: 'config_unreadable',
			message: `${path} is held by another process`,
		});
		await clock.advance(59_999);
		const before = isOver;
		await clock.advance(1);
		await ending;
		expect([before, isOver, readdirSync(directory)]).toEqual([false, true, ['one.lock']]);
		lock?.release();
	});
});
