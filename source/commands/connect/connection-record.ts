import {createHash} from 'node:crypto';
import {readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {type SettingsScope} from '../../config/programs/find-program.ts';
import {type ProgramName, programNames} from '../../config/programs/program-names.ts';
import {failureText, writePrivateFile} from '../../config/values/text-file.ts';
import {parseJson} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';
import {type ProgramSettings} from './program-settings.ts';

/** A file that was changed: its text without our entry, and its digest with it. */
export type RecordedFile = {
	readonly path: string;
	/** null: there was no file. */
	readonly before: string | null;
	readonly after: string;
};

/** The changes of a connection. They are kept privately until it is removed, for the texts may hold secrets of others. */
export type ConnectionRecord = {
	readonly program: ProgramName;
	readonly scope: SettingsScope;
	/** The file of the entry comes first. */
	readonly files: readonly RecordedFile[];
	/** The file of the hook; absent: none was written. */
	readonly hook?: string | undefined;
};

const recordJson: z.ZodType<ConnectionRecord> = z.object({
	program: z.enum(programNames),
	scope: z.enum(['user', 'project']),
	files: z.array(z.object({path: z.string(), before: z.string().nullable(), after: z.string()})),
	hook: z.string().optional(),
});

type Directory = {readonly directory: string};

/** The folder of all records of a profile. */
function folderOf({directory}: Directory): string {
	return join(directory, 'connections');
}

/** One record for the user's settings, and one for each project. */
function recordFile(
	paths: Directory,
	{program, scope, file}: Pick<ProgramSettings, 'program' | 'scope' | 'file'>,
): string {
	const place = createHash('sha256').update(file.path).digest('hex').slice(0, 16);
	return join(folderOf(paths), `${program.name}${scope === 'user' ? '' : `-${place}`}.json`);
}

/** The record of a connection; undefined: there is none that can be read. */
export async function readRecord(
	paths: Directory,
	settings: Pick<ProgramSettings, 'program' | 'scope' | 'file'>,
): Promise<ConnectionRecord | undefined> {
	const record = await readRecordFile(recordFile(paths, settings));
	// The file of a user moves with variables such as CODEX_HOME.
	return record?.files[0]?.path === settings.file.path ? record : undefined;
}

/** All records of a profile. */
export async function readRecords(paths: Directory): Promise<readonly ConnectionRecord[]> {
	const names = await readdir(folderOf(paths)).catch(() => []);
	const files = names.filter(name => name.endsWith('.json')).sort();
	const records = await Promise.all(files.map(name => readRecordFile(join(folderOf(paths), name))));
	return records.filter(record => record !== undefined);
}

/** Writes the record of a connection, 0600. Rejects with `config_unreadable`. */
export function writeRecord(
	paths: Directory,
	settings: Pick<ProgramSettings, 'program' | 'scope' | 'file'>,
	{files, hook}: Pick<ConnectionRecord, 'files' | 'hook'>,
): Promise<void> {
	const record: ConnectionRecord = {program: settings.program.name, scope: settings.scope, files, hook};
	return writePrivateFile(recordFile(paths, settings), `${JSON.stringify(record, undefined, '\t')}\n`);
}

/** Removes the record of a connection, with the texts in it. */
export async function removeRecord(
	paths: Directory,
	settings: Pick<ProgramSettings, 'program' | 'scope' | 'file'>,
): Promise<void> {
	const file = recordFile(paths, settings);
	try {
		await rm(file, {force: true});
	} catch (error) {
		throw toProblem(error, 'config_unreadable', {message: `${file} cannot be removed${failureText(error)}`});
	}
}

async function readRecordFile(path: string): Promise<ConnectionRecord | undefined> {
	const text = await readFile(path, 'utf8').catch(() => '');
	const record = recordJson.safeParse(parseJson(text));
	return record.success ? record.data : undefined;
}
