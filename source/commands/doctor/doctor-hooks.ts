import {existsSync} from 'node:fs';
import {isAbsolute} from 'node:path';
import {startedFiles} from '../../config/programs/own-entry.ts';
import {type Places} from '../../config/programs/places.ts';
import {readProgramFile} from '../../config/programs/program-file.ts';
import {type SettingsHook} from '../../config/programs/program-hooks.ts';
import {type AgentProgram} from '../../config/programs/programs.ts';
import {memberAt, parseSettings} from '../../config/programs/settings.ts';
import {keyPathText} from '../../config/values/problem-list.ts';
import {isJsonObject} from '../../util/json-text.ts';
import {shownName} from '../../util/safe-text.ts';
import {snakeCase} from '../../util/snake-case.ts';
import {type FoundHook} from '../connect/hook-settings.ts';
import {type Finding, fine, trouble} from './finding.ts';

type Checked = {
	readonly program: AgentProgram;
	readonly hook: FoundHook;
	readonly places: Places;
	/** The subject of the findings, and the command that writes the hook again. */
	readonly check: string;
	readonly again: string;
};

/** A hook that was found: its command, its time, its events, the settings that switch it off, and its trust; and its limits where it is as it should be. */
export async function hookFindings(checked: Checked): Promise<readonly Finding[]> {
	const {program, hook, check} = checked;
	const troubles = [
		...commandFindings(checked),
		...timeFindings(checked),
		...(program.hook.kind === 'settings' ? await settingsFindings(checked, program.hook) : []),
	];
	const limits = program.hook.kind === 'none' ? '' : ` ${program.hook.failure} ${program.hook.unreached}`;
	return troubles.length > 0 ? troubles : [fine(check, `Its hook is in ${hook.file.path}.${limits}`)];
}

function commandFindings({hook, check, again}: Checked): readonly Finding[] {
	const files = startedFiles(hook.words);
	const missing = files.find(path => isAbsolute(path) && !existsSync(path));
	const relative = files.find(path => !isAbsolute(path));
	const remedy = `Run ${again}, which writes the path of this Sluice`;
	if (missing !== undefined) {
		const message = `The hook in ${hook.file.path} starts ${missing}, which does not exist`;
		return [trouble(check, 'error', {message, remedy})];
	}

	return relative === undefined
		? []
		: [
				trouble(check, 'warning', {
					message: `The hook in ${hook.file.path} starts ${shownName(relative)} without its folder`,
					remedy,
				}),
			];
}

function timeFindings({hook, check, again}: Checked): readonly Finding[] {
	const {isLongEnough, file, missing} = hook;
	return [
		...(isLongEnough
			? []
			: [
					trouble(check, 'warning', {
						message: `The hook in ${file.path} has less time than a question may take`,
						remedy: `Run ${again}, which sets its \`timeout\``,
					}),
				]),
		...(missing.length === 0
			? []
			: [
					trouble(check, 'warning', {
						message: `The hook in ${file.path} is missing under ${missing.join(' and ')}`,
						remedy: `Run ${again}, which adds it`,
					}),
				]),
	];
}

async function settingsFindings(
	{program, hook, places, check}: Checked,
	{switches, trust}: SettingsHook,
): Promise<readonly Finding[]> {
	const findings: Finding[] = [];
	for (const {files, format, path, value} of switches) {
		for (const file of new Set(files(places))) {
			const settings = await readSettings(file, format);
			if (settings && memberAt(settings, path) === value) {
				findings.push(
					trouble(check, 'warning', {
						message: `${file} has \`${keyPathText(path)}\` set to ${value}, so ${program.title} runs no hook of Sluice`,
						remedy: `Remove \`${keyPathText(path)}\` there`,
					}),
				);
			}
		}
	}

	if (trust) {
		const settings = await readSettings(trust.file(places), 'toml');
		const states = settings && memberAt(settings, ['hooks', 'state']);
		const isTrusted = hook.handlers.every(([event, item, handler]) => {
			const state = isJsonObject(states) && states[`${hook.file.path}:${eventKey(event)}:${item}:${handler}`];
			return isJsonObject(state) && typeof state['trusted_hash'] === 'string' && state['enabled'] !== false;
		});
		if (!isTrusted) {
			const message = `${program.title} has no trust for the hook in ${hook.file.path}, or it is switched off, so it is skipped`;
			findings.push(trouble(check, 'warning', {message, remedy: trust.act}));
		}
	}

	return findings;
}

/** `PreToolUse` as `pre_tool_use`. */
function eventKey(event: string): string {
	return snakeCase(event).replace(/^_/u, '');
}

async function readSettings(path: string, format: 'json' | 'toml') {
	try {
		return await parseSettings({...(await readProgramFile(path)), format});
	} catch {
		// The program says so itself.
		return undefined;
	}
}
