import {createHash} from 'node:crypto';
import {existsSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type StorageReply} from '../../../source/journal/operations/operations.ts';
import {openStorage, type Storage} from '../../../source/journal/sqlite/operations.ts';
import {crashImage, sampleRun} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {queuedColumns} from '../../../source/journal/rows/columns.ts';

const queue = (storage: Storage, id: string) =>
	storage.run([
		{name: 'queueRun', args: [queuedColumns(sampleRun({id, eventId: '', prompt: 'x'.repeat(3000)}))], now: 1},
	]);
const list = (storage: Storage) => storage.run([{name: 'listRuns', args: [{limit: 1000}], now: 1}]);
const fault = async (replies: Promise<readonly StorageReply[]>) => {
	const [reply] = await replies;
	return reply?.kind === 'problem' ? reply.fault : undefined;
};

/** Opens a journal; a part of what it holds is in the file, the rest in its log. */
async function open() {
	const path = join(temporaryDirectory(), 'journal.db');
	const first = openStorage(path);
	for (let number = 0; number < 100; number++) {
		await queue(first, `old-${number}`);
	}

	await first.close();
	const storage = openStorage(path);
	onTestFinished(() => storage.close());
	expect(await fault(queue(storage, 'new'))).toBeUndefined();
	return {path, storage};
}

/** Overwrites the file in its place, from a byte on. */
function overwrite(path: string, from: number): void {
	const bytes = readFileSync(path);
	writeFileSync(path, bytes.fill('garbage ', from), {flag: 'r+'});
}

const contentOf = (...paths: readonly string[]) =>
	paths.map(path => (existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'missing'));

describe('A journal that is damaged while it is open', () => {
	test.each<{readonly what: string; readonly damage: (path: string) => void}>([
		{what: 'file is overwritten', damage: path => overwrite(path, 0)},
		{what: 'file is overwritten behind its header', damage: path => overwrite(path, 4096)},
		{what: 'file is cut off', damage: path => truncateSync(path, 5000)},
		{what: 'file is emptied', damage: path => truncateSync(path, 0)},
		{what: 'file is removed', damage: path => rmSync(path)},
		{what: 'file is replaced', damage: path => (rmSync(path), writeFileSync(path, 'another'))},
		{what: 'log is overwritten', damage: path => overwrite(`${path}-wal`, 0)},
		{what: 'log is emptied', damage: path => truncateSync(`${path}-wal`, 0)},
		{what: 'log is moved away', damage: path => renameSync(`${path}-wal`, `${path}-moved`)},
	])('because its $what is refused from then on, and neither file is touched', async ({damage}) => {
		const {path, storage} = await open();
		// Pages that were read before need not be read from the file.
		expect(await fault(queue(storage, 'before'))).toBeUndefined();
		damage(path);
		const files = [path, `${path}-wal`];
		const before = contentOf(...files);
		expect([await fault(list(storage)), await fault(queue(storage, 'later')), await fault(list(storage))]).toEqual([
			'damaged',
			'damaged',
			'damaged',
		]);
		await storage.close();
		expect(contentOf(...files)).toEqual(before);
	});

	test('and closed before anything else is asked is not touched either', async () => {
		const {path, storage} = await open();
		overwrite(path, 0);
		const before = contentOf(path, `${path}-wal`);
		await storage.close();
		expect(contentOf(path, `${path}-wal`)).toEqual(before);
	});

	test('leaves what was accepted in its log, for a person who restores the file', async () => {
		const {path, storage} = await open();
		const whole = readFileSync(path);
		overwrite(path, 0);
		expect(await fault(queue(storage, 'later'))).toBe('damaged');
		writeFileSync(path, whole);
		const restored = openStorage(path);
		const [found] = await restored.run([{name: 'findRun', args: ['new'], now: 1}]);
		await restored.close();
		expect(found).toMatchObject({kind: 'value', value: {id: 'new'}});
	});

	test('or not: one that is whole gets what is in its log when it is closed', async () => {
		const {path, storage} = await open();
		const before = readFileSync(path);
		await storage.close();
		expect(readFileSync(path).equals(before)).toBe(false);
		expect(existsSync(`${path}-wal`)).toBe(false);
	});
});

describe('A damaged journal with the log of a process that was killed', () => {
	const versionOf = (path: string) => {
		const database = new DatabaseSync(path);
		database.exec('PRAGMA user_version = 999');
		// Copied before it is closed: the version is in the log only.
		const image = crashImage(path);
		database.close();
		return image;
	};

	test.each<{readonly what: string; readonly damage: (path: string) => string | void}>([
		{what: 'is garbage', damage: path => overwrite(path, 0)},
		{what: 'is empty', damage: path => truncateSync(path, 0)},
		{what: 'is missing', damage: path => rmSync(path)},
		{what: 'is that of another version', damage: versionOf},
		{what: 'is whole beside garbage', damage: path => overwrite(`${path}-wal`, 0)},
	])('because it $what is refused, and neither file is touched', async ({damage}) => {
		const image = crashImage((await open()).path);
		expect(statSync(`${image}-wal`).size).toBeGreaterThan(0);
		const path = damage(image) ?? image;
		const before = contentOf(path, `${path}-wal`);
		expect(() => openStorage(path)).toThrow(
			expect.objectContaining({code: expect.stringMatching(/^(?:storage_unavailable|schema_newer)$/u)}),
		);
		expect(contentOf(path, `${path}-wal`)).toEqual(before);
	});

	test('because a page behind its header is broken is refused where damage was found before', async () => {
		const path = crashImage((await open()).path);
		overwrite(path, 8192);
		const before = contentOf(path, `${path}-wal`);
		expect(() => openStorage(path, {former: 'damaged'})).toThrow(
			expect.objectContaining({code: 'storage_unavailable'}),
		);
		expect(contentOf(path, `${path}-wal`)).toEqual(before);
	});

	test('or a whole one is opened with all that it holds', async () => {
		const path = crashImage((await open()).path);
		const storage = openStorage(path, {former: 'damaged'});
		onTestFinished(() => storage.close());
		expect(await list(storage)).toMatchObject([{kind: 'value', value: expect.objectContaining({length: 101})}]);
	});
});

describe('A journal that was closed cleanly', () => {
	const modeOf = (path: string) => readFileSync(path)[18];

	/** A copy of a clean one, and a log of another moment beside it. */
	async function restored() {
		const {path, storage} = await open();
		const clean = join(temporaryDirectory(), 'journal.db');
		const image = crashImage(path);
		await storage.close();
		writeFileSync(clean, readFileSync(path));
		writeFileSync(`${clean}-wal`, readFileSync(`${image}-wal`));
		return clean;
	}

	test('has no log and records that, until it is opened for writing', async () => {
		const {path, storage} = await open();
		expect(modeOf(path)).toBe(2);
		await storage.close();
		expect([modeOf(path), existsSync(`${path}-wal`)]).toEqual([1, false]);
		const again = openStorage(path);
		// On disk before anything else is written.
		expect(modeOf(path)).toBe(2);
		await again.close();
	});

	test('is refused beside the log of another one, with what to do, and neither is touched', async () => {
		const path = await restored();
		const before = contentOf(path, `${path}-wal`);
		for (const former of ['unknown', 'damaged'] as const) {
			expect(() => openStorage(path, {former})).toThrow(
				expect.objectContaining({
					code: 'storage_unavailable',
					detail: expect.stringContaining('closed cleanly'),
					remedy: expect.stringContaining(`mv ${path}-wal ${path}-wal.other`),
				}),
			);
		}

		expect(contentOf(path, `${path}-wal`)).toEqual(before);
		rmSync(`${path}-wal`);
		const storage = openStorage(path);
		expect(await fault(list(storage))).toBeUndefined();
		await storage.close();
	});

	test.each([
		['is empty', Buffer.alloc(0)],
		['has no frame', Buffer.from('377f0682002de218000010000000000000000000000000000000000000000000', 'hex')],
	])('is opened beside a log that %s', async (_, log) => {
		const path = await restored();
		writeFileSync(`${path}-wal`, log);
		const storage = openStorage(path);
		expect(await fault(queue(storage, 'later'))).toBeUndefined();
		await storage.close();
	});

	test('has no such record while another process still has it open', async () => {
		const {path, storage} = await open();
		const other = new DatabaseSync(path);
		other.prepare('SELECT count(*) FROM runs').get();
		await storage.close();
		expect(modeOf(path)).toBe(2);
		other.close();
		await openStorage(path).close();
		expect(modeOf(path)).toBe(1);
	});
});
