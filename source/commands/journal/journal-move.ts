import {type MoveProgress} from '../../journal/move-journal.ts';
import {type TableDigest} from '../../journal/tables/moved-rows.ts';
import {type Clock} from '../../util/clock.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type Closable} from '../cli/connect-gateway.ts';
import {jsonDocument, textTable} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {noWords} from '../cli/words.ts';
import {groupedNumber} from '../../state/number-text.ts';

/** A journal in a file, and the database that it is moved into. */
type MoveAccess = {
	readonly path: string;
	readonly host: string;
	readonly schema: string;
	readonly count: (signal: AbortSignal) => Promise<ReadonlyArray<Pick<TableDigest, 'table' | 'rows'>>>;
	readonly move: (signal: AbortSignal, onProgress: (progress: MoveProgress) => void) => Promise<readonly TableDigest[]>;
};

/** Opens both in this process, with no gateway running. */
export type OpenMove = () => Promise<MoveAccess & Closable>;

/** `sluice journal move [--dry-run] [--json]`: from journal.db into PostgreSQL (docs/postgresql.md, Moving a journal). */
export function runJournalMove(context: CommandContext, openMove: OpenMove): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice journal move [--dry-run] [--json]');
		const access = await openMove();
		try {
			return await (context.flags.dryRun ? count(context, access) : move(context, access));
		} finally {
			await access.close();
		}
	});
}

async function count(context: CommandContext, access: MoveAccess): Promise<ExitCode> {
	const tables = await access.count(context.signal);
	await print(context, access, {moved: false, tables});
	context.stderr(`Nothing was moved. Without --dry-run all of it is copied into ${placeText(access)}.\n`);
	return 0;
}

async function move(context: CommandContext, access: MoveAccess): Promise<ExitCode> {
	const progress = createProgressLine(context);
	const tables = await access.move(context.signal, progress.show).finally(progress.clear);
	await print(context, access, {moved: true, tables});
	context.stderr(
		`The journal is in ${placeText(access)}: every row was read again and is the same as in the file.\n` +
			'`sluice` starts the gateway on it.\n' +
			`${safeText(access.path)} stays as it is and is no longer used. To go back to it, remove journal.url from config.yaml, but only before a gateway has worked with the database: later, waiting work of the file would run twice.\n`,
	);
	return 0;
}

function placeText({host, schema}: MoveAccess): string {
	return safeText(`schema ${schema} of the database on ${host}`);
}

type Tables = ReadonlyArray<Pick<TableDigest, 'table' | 'rows'> & Partial<TableDigest>>;

async function print(
	{flags, stdout}: CommandContext,
	{host, schema}: MoveAccess,
	{moved, tables}: {readonly moved: boolean; readonly tables: Tables},
): Promise<void> {
	if (flags.json) {
		const rows = tables.map(({table, rows: count, sha256 = null}) => ({table, rows: count, sha256}));
		stdout(jsonDocument({moved, host, schema, tables: rows}));
		return;
	}

	const cells = tables.map(({table, rows, sha256}) => [
		table,
		groupedNumber(rows),
		...(sha256 === undefined ? [] : [sha256]),
	]);
	stdout(await textTable(['TABLE', 'ROWS', ...(moved ? ['SHA-256'] : [])], cells));
}

const drawMilliseconds = 100;

/** One line on a terminal that is drawn over itself; nothing where nobody watches. */
function createProgressLine({stderr, clock}: {readonly stderr: (text: string) => void; readonly clock: Clock}) {
	let drawnAt = Number.NEGATIVE_INFINITY;
	return {
		show: ({step, table, rows, total}: MoveProgress) => {
			if (process.stderr.isTTY && clock.elapsed() - drawnAt >= drawMilliseconds) {
				drawnAt = clock.elapsed();
				const what = step === 'copying' ? 'Copying' : 'Reading again';
				// Back to the begin of the line, and clear it.
				stderr(`\r\u001B[K${what} ${table}: ${groupedNumber(rows)} of ${groupedNumber(total)} rows`);
			}
		},
		clear: () => {
			if (drawnAt >= 0) {
				stderr('\r\u001B[K');
			}
		},
	};
}
