import {type StatePaths} from '../../config/read/state-paths.ts';
import {assertSameFile, digestOf, type ProgramFile, readProgramFile} from '../../config/programs/program-file.ts';
import {readRecord, type RecordedFile, removeRecord, writeRecord} from './connection-record.ts';
import {type PlannedFile} from './plan-connection.ts';
import {type ProgramSettings} from './program-settings.ts';

/** Writes one planned file: itself, or by the command of its program. */
export type WriteFile = (planned: PlannedFile) => Promise<void>;

/**
Writes planned files, after the texts without our entry are kept. Where one has changed since it was read, it rejects with `config_changed` and nothing has changed. When the first file cannot be written, nothing has changed and no record stays.
`withoutEntry` makes that text of one that has our entry already.
*/
export async function applyConnection(
	paths: Pick<StatePaths, 'directory'>,
	settings: ProgramSettings,
	{
		files,
		withoutEntry,
		write,
		hook,
	}: {
		readonly files: readonly PlannedFile[];
		readonly withoutEntry: (file: ProgramFile) => Promise<string | undefined>;
		readonly write: WriteFile;
		/** The file of the hook, if there is one. */
		readonly hook: string | undefined;
	},
): Promise<void> {
	await Promise.all(files.map(({file}) => assertSameFile(file)));
	const known = await readRecord(paths, settings);
	const former = known?.files ?? [];
	const recorded = new Map<string, RecordedFile>(former.map(one => [one.path, one]));
	const keep = () =>
		writeRecord(paths, settings, {
			files: inOrder([...recorded.values()], settings.file.path),
			hook: hook ?? known?.hook,
		});
	const record = async (file: ProgramFile, after: string) => {
		const {path, digest} = file;
		const before = former.find(one => one.path === path);
		// A file that only we have changed goes back to its first text.
		const text = before?.after === digest ? before.before : ((await withoutEntry(file)) ?? null);
		recorded.set(path, {path, before: text, after});
	};

	for (const {file, after} of files) {
		await record(file, digestOf(after));
	}

	// A record is found by the file of its entry, also where that stays as it was.
	if (!recorded.has(settings.file.path)) {
		await record(settings.file, settings.file.digest);
	}

	await keep();
	for (const [index, planned] of files.entries()) {
		try {
			await write(planned);
		} catch (error) {
			if (index === 0) {
				await (known ? writeRecord(paths, settings, known) : removeRecord(paths, settings));
			}

			throw error;
		}

		const written = await readProgramFile(planned.file.path);
		const kept = recorded.get(planned.file.path);
		if (kept && kept.after !== written.digest) {
			recorded.set(planned.file.path, {...kept, after: written.digest});
			await keep();
		}
	}
}

function inOrder(files: readonly RecordedFile[], first: string): readonly RecordedFile[] {
	return files.toSorted((one, other) => Number(other.path === first) - Number(one.path === first));
}
