import {existsSync} from 'node:fs';
import {isAbsolute} from 'node:path';
import {startedFiles, timeoutSecondsOf, wantedTimeoutSeconds} from '../../config/programs/own-entry.ts';
import {type SettingsScope} from '../../config/programs/find-program.ts';
import {type Places} from '../../config/programs/places.ts';
import {type AgentProgram, allPrograms, programs} from '../../config/programs/programs.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {shownName} from '../../util/safe-text.ts';
import {type ConnectionRecord, readRecords} from '../connect/connection-record.ts';
import {findHook, hookFile, readHook} from '../connect/hook-settings.ts';
import {isTrusted} from '../connect/plan-connection.ts';
import {placesOf, type ProgramSettings, readProgram, readSettingsAt} from '../connect/program-settings.ts';
import {type Session} from '../cli/session.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {hookFindings} from './doctor-hooks.ts';
import {type Finding, fine, trouble} from './finding.ts';

/** The parts of a profile that name its commands and its limits. */
type Profile = Pick<CheckedProfile, 'paths' | 'loaded' | 'command' | 'checkName'>;

/** Every program that is connected, or was: its entry, the program it starts, its time-out, and its servers that are not behind Sluice. */
export async function checkPrograms(profile: Profile, session: Session): Promise<readonly Finding[]> {
	const places = placesOf(session);
	const records = await readRecords(profile.paths);
	const seen = new Set<string>();
	const findings: Finding[] = [];
	for (const program of allPrograms) {
		for (const scope of ['user', 'project'] as const) {
			const hook = await findHook({program, scope, places});
			if (hook && !seen.has(`hook ${hook.file.path}`)) {
				seen.add(`hook ${hook.file.path}`);
				findings.push(...(await hookFindings({...hookCheck(profile, {program, scope}), hook, places})));
			}
		}

		const found = [
			await readProgram(program, places, 'user').catch(toProblem),
			await readProgram(program, places, 'project').catch(toProblem),
		];
		for (const settings of found) {
			// A file that cannot be read is of interest only where we have written an entry.
			if (settings && !(settings instanceof Problem) && settings.own) {
				seen.add(settings.file.path);
				findings.push(...(await checkProgram(profile, settings, await isTrusted(settings, places).catch(() => false))));
			}
		}
	}

	for (const record of records) {
		findings.push(...(await hookGone(profile, record, places)));
	}

	const others = records.filter(({files: [file]}) => file && !seen.has(file.path));
	const remembered = await Promise.all(others.map(record => checkRecord(profile, record, session)));
	return [...findings, ...remembered.flat()];
}

/** The names of the findings about a hook. */
function hookCheck(
	profile: Profile,
	{program, scope}: {readonly program: AgentProgram; readonly scope: SettingsScope},
) {
	const flags = scope === 'project' ? ['--project'] : [];
	return {
		program,
		check: profile.checkName(`program ${program.name}`),
		again: profile.command('connect', program.name, ...flags, '--hook'),
	};
}

/** A hook that a connection has written, and that is not there any more. */
async function hookGone(profile: Profile, record: ConnectionRecord, places: Places): Promise<readonly Finding[]> {
	const program = programs[record.program];
	const where = {program, scope: record.scope, places};
	// That of a project is looked at where the project is.
	if (record.hook === undefined || record.hook !== hookFile(where)) {
		return [];
	}

	const {check, again} = hookCheck(profile, where);
	try {
		const message = `${record.hook} had the hook of Sluice, which is gone; ${program.title} asks about its own tools by itself alone`;
		return (await readHook(where))
			? []
			: [trouble(check, 'warning', {message, remedy: `Run ${again} to write it again`})];
	} catch (error) {
		const {message, remedy} = toProblem(error);
		return [trouble(check, 'warning', {message, remedy})];
	}
}

/** A connection of another folder, or one whose entry is gone. */
async function checkRecord(profile: Profile, record: ConnectionRecord, session: Session): Promise<readonly Finding[]> {
	const program = programs[record.program];
	const [file] = record.files;
	const check = profile.checkName(`program ${program.name}`);
	if (!file) {
		return [];
	}

	try {
		const settings = await readSettingsAt(program, placesOf(session), {scope: record.scope, path: file.path});
		if (settings.own) {
			return await checkProgram(profile, settings, false);
		}
	} catch (error) {
		const {message, remedy} = toProblem(error);
		return [trouble(check, 'warning', {message, remedy})];
	}

	const flags = record.scope === 'project' ? ['--project'] : [];
	const connect = profile.command('connect', program.name, ...flags);
	const message = `${file.path} had an entry of Sluice, which is gone; ${program.title} calls no tool through Sluice`;
	const remedy = `Run ${connect} to connect it again, or ${profile.command('connect', program.name, ...flags, '--remove')}`;
	return [trouble(check, 'warning', {message, remedy})];
}

async function checkProgram(
	profile: Profile,
	settings: ProgramSettings,
	trusted: boolean,
): Promise<readonly Finding[]> {
	const {program, file, own, beside, scope} = settings;
	const check = profile.checkName(`program ${program.name}`);
	const again = profile.command('connect', program.name, ...(scope === 'project' ? ['--project'] : []));
	const troubles = [
		...pathFindings(settings, check, again),
		...timeoutFindings(profile, settings, {check, again}),
		...(beside.length === 0
			? []
			: [
					trouble(check, 'warning', {
						message: `${program.title} calls ${beside.length === 1 ? 'a server' : `${beside.length} servers`} without Sluice: ${beside.map(name => shownName(name, {maximumCharacters: 60})).join(', ')}`,
						remedy: `Run ${profile.command('mcp', 'import', program.name)}, then switch off in ${file.path} what was imported`,
					}),
				]),
	];
	const trust = trusted ? '; it runs the tools of Sluice without asking' : '';
	return troubles.length > 0
		? troubles
		: [fine(check, `Connected over ${own?.way ?? 'stdio'} in ${file.path}${trust}`)];
}

function pathFindings({program, file, own}: ProgramSettings, check: string, again: string): readonly Finding[] {
	const files = own?.way === 'stdio' ? startedFiles(own.words) : [];
	const relative = files.find(path => !isAbsolute(path));
	const missing = files.find(path => isAbsolute(path) && !existsSync(path));
	const remedy = `Run ${again}, which writes the path of this Sluice`;
	if (missing !== undefined) {
		const message = `${file.path} starts ${missing}, which does not exist`;
		return [trouble(check, 'error', {message, remedy})];
	}

	return relative === undefined
		? []
		: [
				trouble(check, 'warning', {
					message: `${file.path} starts ${shownName(relative)} without its folder, so ${program.title} may find another program, or none`,
					remedy,
				}),
			];
}

function timeoutFindings(
	{loaded}: Pick<Profile, 'loaded'>,
	{program, entry, file}: ProgramSettings,
	{check, again}: {readonly check: string; readonly again: string},
): readonly Finding[] {
	const wanted = wantedTimeoutSeconds(loaded.config);
	const bounded = Math.min(wanted, program.timeout?.maximumSeconds ?? wanted);
	const present = timeoutSecondsOf(program, entry ?? {});
	if (!program.timeout || (present !== undefined && present >= bounded)) {
		return [];
	}

	const message =
		present === undefined
			? `${file.path} gives a call only the time that is usual in ${program.title}, and a question may take longer`
			: `${file.path} gives a call ${present} seconds, and with a question it may take ${wanted}`;
	return [trouble(check, 'warning', {message, remedy: `Run ${again}, which sets \`${program.timeout.key}\``})];
}
