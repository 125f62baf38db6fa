import {type StatePaths} from '../../config/read/state-paths.ts';
import {digestOf, readProgramFile} from '../../config/programs/program-file.ts';
import {readRecord, type RecordedFile, removeRecord, writeRecord} from './connection-record.ts';
import {type PlannedFile} from './plan-connection.ts';
import {type ProgramSettings} from './program-settings.ts';

/** Writes one planned file: itself, or by the command of its program. */
export type WriteFile = (planned: PlannedFile) => Promise<void>;

/**
Writes planned files, after the texts without our entry are kept. When the first file cannot be written, nothing has changed and no record stays.
`withoutEntry` makes that text of one that has our entry already.
*/
export async function applyConnection(
	paths: Pick<StatePaths, 'directory'>,
	settings: ProgramSettings,
	{
		files,
		withoutEntry,
		write,
	}: {
		readonly files: readonly PlannedFile[];
		readonly withoutEntry: (planned: PlannedFile) => Promise<string | undefined>;
		readonly write: WriteFile;
	},
): Promise<void> {
	const former = (await readRecord(paths, settings))?.files ?? [];
	const recorded = new Map<string, RecordedFile>(former.map(one => [one.path, one]));
	const keep = () => writeRecord(paths, settings, inOrder([...recorded.values()], settings.file.path));
	for (const planned of files) {
		const {file, after} = planned;
		const known = former.find(({path}) => path === file.path);
		// A file that only we have changed goes back to its first text.
		const before = known?.after === file.digest ? known.before : ((await withoutEntry(planned)) ?? null);
		recorded.set(file.path, {path: file.path, before, after: digestOf(after)});
	}

	await keep();
	for (const [index, planned] of files.entries()) {
		try {
			await write(planned);
		} catch (error) {
			if (index === 0) {
				await (former.length === 0 ? removeRecord(paths, settings) : writeRecord(paths, settings, former));
			}

			throw error;
		}

		const written = await readProgramFile(planned.file.path);
		const known = recorded.get(planned.file.path);
		if (known && known.after !== written.digest) {
			recorded.set(planned.file.path, {...known, after: written.digest});
			await keep();
		}
	}
}

function inOrder(files: readonly RecordedFile[], first: string): readonly RecordedFile[] {
	return files.toSorted((one, other) => Number(other.path === first) - Number(one.path === first));
}
