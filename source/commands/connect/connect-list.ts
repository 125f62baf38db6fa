import {isInstalled, settingsFile} from '../../config/programs/find-program.ts';
import {type Places} from '../../config/programs/places.ts';
import {type AgentProgram, allPrograms} from '../../config/programs/programs.ts';
import {type ProgramJson} from '../../state/json/program.ts';
import {toProblem} from '../../util/problem.ts';
import {shownName} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printRows} from '../cli/listing.ts';
import {findHook} from './hook-settings.ts';
import {type ProgramSettings, readProgram} from './program-settings.ts';

/** `sluice connect`: which programs are installed, which are connected, and how. */
export async function printPrograms(context: CommandContext, places: Places): Promise<ExitCode> {
	const rows = await Promise.all(allPrograms.map(program => programRow(program, places)));
	await printRows(context, rows, {
		titles: ['PROGRAM', 'INSTALLED', 'CONNECTED', 'HOOK', 'FILE'],
		cells: ({name, installed, connected, hook, file}) => [
			name,
			installed ? 'yes' : 'no',
			connected === null ? 'no' : `over ${connected}`,
			hook === null ? '-' : hook ? 'yes' : 'no',
			file ?? '-',
		],
		below: ({servers_beside: beside, connected, problem}) => [
			...(problem === null ? [] : [`  ${problem}`]),
			...(connected === null || beside.length === 0
				? []
				: [`  not behind Sluice: ${beside.map(name => shownName(name)).join(', ')}`]),
		],
		none: 'No program is known.',
	});
	return 0;
}

async function programRow(program: AgentProgram, places: Places): Promise<ProgramJson> {
	const {name, title} = program;
	const row = {name, title, installed: isInstalled(program, places)};
	try {
		const hooks = [
			await findHook({program, scope: 'user', places}),
			await findHook({program, scope: 'project', places}),
		];
		const hook = program.hook.kind === 'none' ? null : hooks.some(one => one !== undefined);
		const found = [await readProgram(program, places, 'user'), await readProgram(program, places, 'project')];
		const present = found.filter(settings => settings !== undefined);
		const settings = present.find(({own}) => own) ?? present.find(({file}) => file.text !== undefined);
		return {...row, ...connectionOf(settings), hook, problem: null};
	} catch (error) {
		const file = settingsFile(program, places, 'user') ?? null;
		return {...row, connected: null, file, hook: null, servers_beside: [], problem: toProblem(error).message};
	}
}

function connectionOf(
	settings: ProgramSettings | undefined,
): Pick<ProgramJson, 'connected' | 'file' | 'servers_beside'> {
	return {
		connected: settings?.own?.way ?? null,
		file: settings?.file.path ?? null,
		servers_beside: settings?.beside ?? [],
	};
}
