import {chmodSync, closeSync, constants, fstatSync, fsyncSync, openSync, readSync, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {Problem, systemErrorCode} from '../../util/problem.ts';

/** The file of a database and its `-wal` file, open in this thread. */
export type DatabaseFile = {
	readonly database: DatabaseSync;
	/** Throws when somebody moved, replaced or overwrote the files: SQLite reads what it keeps in memory, and notices that late. */
	readonly check: () => void;
	/** Moves what is in the `-wal` file into the file and closes both. Damaged ones are closed as they are. */
	readonly close: () => void;
	/** Closes both as they are: what is whole in either can still be rescued. */
	readonly closeAsIs: () => void;
};

/** Time that a statement waits while another process of the same user writes. */
const busyTimeoutMilliseconds = 2000;

/** The first bytes of a database and its write-ahead log (https://www.sqlite.org/fileformat2.html, The Database Header, WAL File Format). */
const databaseStart = Buffer.from('SQLite format 3\0');
const logStarts = [Buffer.from('377f0682', 'hex'), Buffer.from('377f0683', 'hex')] as const;
const logStartBytes = 4;

/** The byte of the header that is 2 in WAL mode. A clean stop leaves it 1, and SQLite makes it 2, on disk, before the first write in WAL mode. */
const modeOffset = 18;

/** The size of the header of a log; frames follow it. */
const logHeaderBytes = 32;

/** The size of a page, how many there are, and the counters that say whether that number holds, in the header. */
const pageSizeOffset = 16;
const pageCountOffset = 28;
const changesOffset = 24;
const countedAtOffset = 92;
const headerBytes = 100;

/** The files are not as SQLite left them. */
export class DamagedFile extends Error {}

/** A `-wal` file with something in it lies beside a file that was closed cleanly, which leaves none: it is that of another one. */
export class OtherLog extends DamagedFile {}

/** SQLITE_CORRUPT, SQLITE_NOTADB and SQLITE_IOERR_SHORT_READ (https://www.sqlite.org/rescode.html). */
const damageCodes: ReadonlySet<number> = new Set([11, 26]);
const shortRead = 522;

/** True for an error that says that the content of the file cannot be read. */
export function isDamage(caught: unknown): boolean {
	const error = caught instanceof Problem ? caught.cause : caught;
	if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
		return damageCodes.has(error.errcode % 256) || error.errcode === shortRead;
	}

	return error instanceof DamagedFile;
}

/**
Opens or creates the file at `path` (0600) in WAL mode. Before anything can be written, its beginning is checked, and `examine` may refuse it by an
error. `prepare` makes it a database in WAL mode. When either throws, the files are left as they are, and nothing stays open.
*/
export function openDatabaseFile(
	path: string,
	{examine, prepare}: {readonly [Step in 'examine' | 'prepare']: (database: DatabaseSync) => void},
): DatabaseFile {
	if (sizeOf(path) === 0 && sizeOf(logOf(path)) > 0) {
		// SQLite would take it for a log of an older database, and remove it.
		throw new DamagedFile('the file is missing or empty, but its -wal file is not');
	}

	// To close any descriptor of a file ends every lock of the process on it (fcntl, POSIX.1), so this one stays open as long as the database.
	const descriptor = openSync(path, constants.O_RDONLY | constants.O_CREAT, 0o600);
	const descriptors = [descriptor];
	const open: DatabaseSync[] = [];
	const connect = (readOnly: boolean) => {
		const connection = new DatabaseSync(path, {readOnly, timeout: busyTimeoutMilliseconds});
		open.unshift(connection);
		return connection;
	};

	const closeAsIs = () => closeInOrder(open, descriptors);
	try {
		if (!fstatSync(descriptor).isFile()) {
			throw new Error('it is not a regular file');
		}

		// SQLite gives its side files (-wal, -shm) the mode of this one.
		chmodSync(path, 0o600);
		// The last connection to be closed moves what is in the log into the file, unless it only reads. So one that only reads is closed last.
		const reader = connect(true);
		const isInWal = isInWalMode(descriptor, path);
		if (isInWal) {
			examine(reader);
		}

		const database = connect(false);
		if (!isInWal) {
			examine(database);
		}

		prepare(database);
		// From its first read in WAL mode, a connection counts as open.
		reader.prepare('PRAGMA user_version').get();
		// Opened once: a check must need no descriptor where the process can have no more.
		const log = openSync(logOf(path), 'r');
		descriptors.push(log);
		const check = createCheck(path, {file: descriptor, log}, () => framesIn(database));
		const isSound = () => {
			try {
				check();
				return true;
			} catch {
				return false;
			}
		};

		return {
			database,
			check,
			closeAsIs,
			close() {
				if (isSound()) {
					closeInOrder(open.splice(1), []);
					recordCleanStop(database, {log, path});
				}

				closeInOrder(open, descriptors);
			},
		};
	} catch (caught) {
		closeAsIs();
		throw caught;
	}
}

/**
Moves what is in the log into the file, and leaves the mode in which SQLite has no log: that is the record of a clean stop. Without effect while
another connection is open: the last one that is closed does it.
*/
function recordCleanStop(database: DatabaseSync, {log, path}: {readonly log: number; readonly path: string}): void {
	try {
		database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		// A loss of power must not bring the log back beside the record.
		fsyncSync(log);
		database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
		const folder = openSync(dirname(path), 'r');
		fsyncSync(folder);
		closeSync(folder);
	} catch {
		// As it is, the next start takes what the log has.
	}
}

/** Without effect on what was closed before. */
function closeInOrder(connections: DatabaseSync[], descriptors: number[]): void {
	connections.splice(0).forEach(connection => connection.close());
	descriptors.splice(0).forEach(descriptor => closeSync(descriptor));
}

/** True for a database in WAL mode. Throws when it, or its log, is not one of SQLite; it may be new. */
function isInWalMode(descriptor: number, path: string): boolean {
	const start = readStart(descriptor);
	if (start.length === 0) {
		return false;
	}

	assertDatabase(start);
	const log = readLogStart(path);
	// Read after the log: another process that opens the file meanwhile makes the log after it has set the mode.
	const mode = readStart(descriptor)[modeOffset];
	// A loss of power can leave zeros where a log had begun: nothing of it had been reported as written.
	if (log && !isLog(log) && log.some(byte => byte !== 0)) {
		throw new DamagedFile('the -wal file is not one of SQLite');
	}

	if (mode === 1 && log && isLog(log) && sizeOf(logOf(path)) > logHeaderBytes) {
		throw new OtherLog('the file was closed cleanly, so the -wal file next to it belongs to another one');
	}

	// A change of the mode that was cut off is undone by the first connection that may write.
	return mode === 2 && sizeOf(`${path}-journal`) === 0;
}

/** A check of the files that are open now, by what they are and how they begin. It opens nothing. */
function createCheck(
	path: string,
	descriptors: {readonly file: number; readonly log: number},
	frames: () => number,
): () => void {
	const identities = [
		[path, identityOf(fstatSync(descriptors.file))],
		[logOf(path), identityOf(fstatSync(descriptors.log))],
	] as const;
	let hadLog = false;
	let size = fstatSync(descriptors.file).size;
	return () => {
		if (identities.some(([file, identity]) => identityAt(file) !== identity)) {
			throw new DamagedFile('the file or its -wal file was moved or replaced while it was open');
		}

		const header = readStart(descriptors.file, headerBytes);
		assertDatabase(header);
		const before = size;
		size = fstatSync(descriptors.file).size;
		// A checkpoint that a full disk ended leaves fewer bytes than the header says, too, yet never fewer than there were.
		if (size < Math.min(before, statedSize(header))) {
			throw new DamagedFile('the file was cut off while it was open');
		}

		const logStart = readStart(descriptors.log, logStartBytes);
		const isLogThere = isLog(logStart);
		// Another process that closes the file empties the log, once everything in it is in the file.
		const wasMovedToFile = () => logStart.length === 0 && frames() <= 0;
		if (hadLog && !isLogThere && !wasMovedToFile()) {
			throw new DamagedFile('the -wal file was overwritten while it was open');
		}

		hadLog = isLogThere;
	};
}

/** The number of frames that the log has according to the index that all connections share; -1 while another one moves them. */
function framesIn(database: DatabaseSync): number {
	const frames = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.['log'];
	return typeof frames === 'number' ? frames : 0;
}

function assertDatabase(start: Buffer): void {
	if (!start.subarray(0, databaseStart.length).equals(databaseStart)) {
		throw new DamagedFile('file is not a database');
	}
}

/** The size that the header gives the file; 0 where it does not know. */
function statedSize(header: Buffer): number {
	if (header.length < headerBytes || header.readUInt32BE(changesOffset) !== header.readUInt32BE(countedAtOffset)) {
		return 0;
	}

	// 1 stands for 65,536, which two bytes cannot hold.
	const pageSize = header.readUInt16BE(pageSizeOffset);
	return (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(pageCountOffset);
}

function isLog(start: Buffer): boolean {
	return logStarts.some(one => one.equals(start));
}

function readStart(descriptor: number, bytes = modeOffset + 1): Buffer {
	const start = Buffer.alloc(bytes);
	return start.subarray(0, readSync(descriptor, start, 0, bytes, 0));
}

/**
Undefined where there is no log or an empty one; another process that closes the file removes it at any moment. Locks are held on other files than
the log, so a descriptor of it may be closed.
*/
function readLogStart(path: string): Buffer | undefined {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(logOf(path), 'r');
		const start = readStart(descriptor, logStartBytes);
		return start.length === 0 ? undefined : start;
	} catch (caught) {
		if (systemErrorCode(caught) === 'ENOENT') {
			return undefined;
		}

		throw caught;
	} finally {
		if (descriptor !== undefined) {
			closeSync(descriptor);
		}
	}
}

function logOf(path: string): string {
	return `${path}-wal`;
}

function sizeOf(path: string): number {
	return statSync(path, {throwIfNoEntry: false})?.size ?? 0;
}

function identityAt(path: string): string {
	const stats = statSync(path, {throwIfNoEntry: false});
	return stats ? identityOf(stats) : 'missing';
}

function identityOf({dev, ino}: Stats): string {
	return `${dev}:${ino}`;
}
