import {isDamaged, isDiskSilence, isRefused} from '../../journal/operations/request-batches.ts';
import {type RefusingTable} from '../../journal/operations/operation-values.ts';
import {type UnreadableRow} from '../../journal/rows/read-rows.ts';
import {type Publish} from '../../state/event.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {journalRemedy} from '../../util/file-remedies.ts';
import {problemCodes} from '../../util/problem-codes.ts';
import {type Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {unreadableFault} from './unreadable-rows.ts';

/** A fault of one part of the gateway with its remedy. Texts are safe to show. */
export type GatewayFault = {readonly message: string; readonly remedy: string};

/** `away`: it cannot be used; `refusing`: it can be read, and did not take the last write. */
type JournalStanding = {
	readonly state: 'open' | 'refusing' | 'away';
	readonly since: number;
	/** Rows that lists leave out. */
	readonly unreadable: readonly UnreadableRow[];
};

/** The fault of the journal: a banner and lines in the log (docs/journal.md, When the journal cannot be used). */
type JournalFault = {
	/** The file became unusable; undefined: it can be used again. */
	readonly setUnusable: (problem: Problem | undefined) => void;
	/** A write was refused; undefined: one is on disk. */
	readonly setWrite: (problem: Problem | undefined) => void;
	/** The tables that cannot be used; empty: all can. */
	readonly setTables: (tables: readonly RefusingTable[]) => void;
	/** The rows that lists left out since the journal was opened; each is logged once. */
	readonly setUnreadable: (rows: readonly UnreadableRow[]) => void;
	/** True while a table cannot be used, also while writes of others succeed. */
	readonly hasRefusingTable: () => boolean;
	/** A row that nobody waits for is missing. */
	readonly countMissing: (problem: Problem) => void;
	readonly current: () => GatewayFault | undefined;
	/** The state of the journal, and since when, in milliseconds since the epoch. */
	readonly standing: () => JournalStanding;
	/** Logs the rows that are missing and were not logged yet. */
	readonly close: () => void;
};

type ShownFault = GatewayFault & {readonly banner: string};

/** Creates the fault; nothing is wrong at first. */
export function createJournalFault(
	path: string,
	{
		publish,
		clock,
		place,
	}: {readonly publish: Publish; readonly clock: Clock; readonly place: () => 'file' | 'database' | 'unknown'},
): JournalFault {
	const log = (text: string) => publish({type: 'log', level: 'error', area: 'journal', text: safeText(text)});
	const lines = createMissingLines(clock, log);
	const remedyAt: RemedyAt = kind => (place() === 'database' ? databaseRemedy : journalRemedy(path, kind));
	let unusable: ShownFault | undefined;
	let refused: ShownFault | undefined;
	let tables: ShownFault | undefined;
	let shown: string | undefined;
	let standing: Omit<JournalStanding, 'unreadable'> = {state: 'open', since: clock.now()};
	const unreadable = createUnreadableLines(log);
	const worst = () => unusable ?? refused ?? tables;
	const show = () => {
		const fault = worst();
		const reason = fault?.banner;
		const state = unusable ? 'away' : fault ? 'refusing' : 'open';
		standing = state === standing.state ? standing : {state, since: clock.now()};
		if (reason !== shown) {
			shown = reason;
			publish({type: 'fault.state', part: 'journal', ...(reason !== undefined && {reason})});
		}
	};

	return {
		setUnusable(problem) {
			unusable = problem && unusableFault(problem, remedyAt);
			refused = undefined;
			tables = undefined;
			show();
			if (unusable) {
				log(unusable.banner);
			}
		},
		setWrite(problem) {
			// Damage and a lost thread make the file unusable, which is reported by itself.
			if (problem === undefined ? refused !== undefined : isRefused(problem) && !isDamaged(problem)) {
				const next = problem && refusedFault(problem, remedyAt);
				// Each write may name another table or file: what is to be done is the same, and is said once.
				refused = next && next.remedy === refused?.remedy ? refused : next;
				show();
			}
		},
		setTables(found) {
			const before = tables?.banner;
			tables = tablesFault(found, remedyAt);
			show();
			if (tables && tables.banner !== before) {
				log(tables.banner);
			}
		},
		setUnreadable: rows => unreadable.add(rows),
		hasRefusingTable: () => tables !== undefined,
		countMissing: problem => lines.add(problem),
		current() {
			const fault = worst();
			return fault && {message: fault.message, remedy: fault.remedy};
		},
		standing: () => ({...standing, unreadable: unreadable.rows()}),
		close: () => lines.close(),
	};
}

const meanwhile = 'Until then webhooks get 503 and calls that are not read-only wait';

/** The cause first, then the rest: a narrow banner shows only the beginning. */
function faultOf(what: string, remedy: string, rest: string): ShownFault {
	return {
		message: safeText(`${what} ${rest}`),
		remedy: safeText(remedy),
		banner: safeText(`${what}. ${remedy} ${rest}`),
	};
}

/** The remedy for the place where the journal is. */
type RemedyAt = (kind: Parameters<typeof journalRemedy>[1]) => string;

/** The remedy for a journal in a database. */
export const databaseRemedy = 'Look at the log of PostgreSQL; `sluice doctor` tries the database of `journal.url`';

function unusableFault(problem: Problem, remedyAt: RemedyAt): ShownFault {
	const kind = isDamaged(problem) ? 'damaged' : isDiskSilence(problem) ? 'silent' : 'unusable';
	return faultOf(
		'The journal cannot be used',
		remedyOf(problem) ?? remedyAt(kind),
		`(${whyText(problem)}). It is tried again. ${meanwhile}`,
	);
}

function refusedFault(problem: Problem, remedyAt: RemedyAt): ShownFault {
	return faultOf(
		'The journal cannot be written',
		remedyOf(problem) ?? remedyAt('unusable'),
		`(${whyText(problem)}). ${meanwhile}, and the rows of others are missing`,
	);
}

function tablesFault(found: readonly RefusingTable[], remedyAt: RemedyAt): ShownFault | undefined {
	const [first] = found;
	if (!first) {
		return undefined;
	}

	const names = found.map(({table}) => table).join(', ');
	const why = first.why === 'missing' ? 'missing' : 'the role may not read and write it';
	return faultOf(
		`The journal cannot use ${found.length === 1 ? 'a table' : `${found.length} tables`}: ${names}`,
		first.remedy ?? remedyAt('damaged'),
		`(${why}). What needs it is refused or waits, the rest goes on`,
	);
}

/** That of a database, or of a newer version; one of a file is about its path. */
function remedyOf({code, remedy}: Problem): string | undefined {
	return code === 'storage_unavailable' && remedy === problemCodes[code].remedy ? undefined : remedy;
}

function whyText({detail, message}: Problem): string {
	return safeText(detail ?? message, {maximumCharacters: 120});
}

/** Logs each row once, also when the journal is opened again. */
function createUnreadableLines(log: (text: string) => void) {
	const known = new Map<string, UnreadableRow>();
	return {
		rows: () => [...known.values()],
		add(rows: readonly UnreadableRow[]) {
			const found = rows.filter(({table, id}) => !known.has(`${table} ${id}`));
			found.forEach(row => known.set(`${row.table} ${row.id}`, row));
			const news = unreadableFault(found);
			if (news) {
				log(`${news.message}. ${news.remedy}`);
			}
		},
	};
}

const lineMilliseconds = 60_000;

/** One line of the log a minute at most, however many rows are missing. */
function createMissingLines(clock: Clock, log: (text: string) => void) {
	let missing = 0;
	let why = '';
	let phase: 'idle' | 'due' | 'resting' = 'idle';
	let timer: Timer | undefined;
	const logMissing = () => {
		if (missing === 0) {
			phase = 'idle';
			return;
		}

		const rows =
			missing === 1 ? '1 row of an event, call or decision is' : `${missing} rows of events, calls or decisions are`;
		log(`${rows} missing from the journal: ${why}`);
		missing = 0;
		phase = 'resting';
		timer = clock.after(lineMilliseconds, logMissing);
	};

	return {
		add({detail, message}: Problem) {
			missing++;
			why = detail ?? message;
			if (phase === 'idle') {
				phase = 'due';
				// Losses of the same moment are logged in one line.
				clock.soon(logMissing);
			}
		},
		close() {
			timer?.cancel();
			logMissing();
			timer?.cancel();
		},
	};
}
