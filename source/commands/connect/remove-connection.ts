import {type Places} from '../../config/programs/places.ts';
import {writeProgramFile} from '../../config/programs/program-file.ts';
import {type DisconnectedProgramJson} from '../../state/json/program.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printResult} from '../cli/listing.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {changeText} from './change-text.ts';
import {findClaude} from './claude-command.ts';
import {type ConnectionRecord, type RecordedFile, readRecord, removeRecord} from './connection-record.ts';
import {type PlannedFile, planRemoval} from './plan-connection.ts';
import {type ProgramSettings} from './program-settings.ts';

/** `sluice connect PROGRAM --remove`: the text of before where nothing else has changed, else the text without our entry. */
export async function removeConnection(
	context: CommandContext,
	session: Session,
	{settings, places}: {readonly settings: ProgramSettings; readonly places: Places},
): Promise<ExitCode> {
	const {program, file} = settings;
	const record = await readRecord(session.paths, settings);
	const shownFile = safeText(file.path);
	const result = (state: DisconnectedProgramJson['state'], text: string) =>
		printResult(context, {name: program.name, file: file.path, state} satisfies DisconnectedProgramJson, `${text}\n`);
	const planned = await planRemoval(settings, {places, recorded: (record?.files ?? []).map(({path}) => path)});
	if (planned.length === 0 && !record) {
		result('absent', `${program.title} is not connected: ${shownFile} has no entry of Sluice.`);
		return 0;
	}

	const restored = withFormerTexts(planned, record);
	if (restored.length === 0) {
		await removeRecord(session.paths, settings);
		result('absent', `${shownFile} has no entry of Sluice any more; the kept text of before is deleted.`);
		return 0;
	}

	const isRestored = restored.every(({kind}) => kind === 'restored');
	context.stderr(restored.map(one => changeText(one.file, one.format, one.shown)).join(''));
	if (!(await isConfirmed(context, program.title, isRestored))) {
		return reportDeclined(context, 'Nothing was changed.');
	}

	const claude = findClaude(context, session, {settings, places});
	for (const one of restored) {
		if (claude && one.kind === 'edited' && one.file.path === file.path) {
			await claude.remove();
		} else {
			await writeProgramFile(one.file, one.after);
		}
	}

	await removeRecord(session.paths, settings);
	result(
		isRestored ? 'restored' : 'removed',
		isRestored
			? `Restored ${shownFile}.`
			: `Took the entry of Sluice out of ${shownFile}; the rest had changed and stays.`,
	);
	return 0;
}

type RestoredFile = PlannedFile & {readonly kind: 'restored' | 'edited'};

/** Each file with its former text where only we have changed it. */
function withFormerTexts(
	planned: readonly PlannedFile[],
	record: ConnectionRecord | undefined,
): readonly RestoredFile[] {
	const known = new Map<string, RecordedFile>((record?.files ?? []).map(one => [one.path, one]));
	return planned.map((one): RestoredFile => {
		const recorded = known.get(one.file.path);
		return recorded && recorded.after === one.file.digest
			? {...one, after: recorded.before ?? undefined, kind: 'restored'}
			: {...one, kind: 'edited'};
	});
}

async function isConfirmed(context: CommandContext, title: string, isRestored: boolean): Promise<boolean> {
	const question = isRestored
		? `Disconnect ${title}, and restore the settings of before?`
		: `Disconnect ${title}? Its settings have changed since, so only the lines above go`;
	const answer = context.flags.yes ? 'yes' : await context.confirm(question);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {message: 'Without a terminal `sluice connect` needs --yes'});
	}

	return answer === 'yes';
}
