import {type SettingsScope} from '../../config/programs/find-program.ts';
import {programNames} from '../../config/programs/program-names.ts';
import {type AgentProgram, programs} from '../../config/programs/programs.ts';
import {unknownWord} from '../../config/values/did-you-mean.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenOwnApi} from '../cli/connect-gateway.ts';
import {runCommand} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';
import {addConnection} from './add-connection.ts';
import {printPrograms} from './connect-list.ts';
import {leadsElsewhere, placesOf, type ProgramSettings, readProgram} from './program-settings.ts';
import {removeConnection} from './remove-connection.ts';

const usage = 'sluice connect [PROGRAM] [flags]';

/** `sluice connect [PROGRAM]`: lists the programs, connects one, or removes its connection. */
export function runConnect(context: CommandContext, session: Session, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		const {trust, remove} = context.flags;
		// The flag is a switch here: a word behind it is the name of the program.
		const words = [...(trust ? [trust] : []), ...context.arguments];
		noWords({arguments: words.slice(1)}, usage);
		refuseTogether(context, words[0]);
		const places = placesOf(session);
		const [name] = words;
		if (name === undefined) {
			return printPrograms(context, places);
		}

		const program = findProgram(name);
		refuseWithoutHook(context, program);
		const settings = await readProgram(program, places, scopeOf(context));
		if (!settings) {
			throw withoutFile(program);
		}

		refuseForeign(settings);
		return remove
			? removeConnection(context, session, {settings, places})
			: addConnection(context, session, {settings, places, openOwn});
	});
}

function scopeOf({flags}: Pick<CommandContext, 'flags'>): SettingsScope {
	return flags.project ? 'project' : 'user';
}

function findProgram(typed: string): AgentProgram {
	const name = programNames.find(one => one === typed);
	if (name === undefined) {
		throw new Problem('bad_usage', {message: unknownWord(typed, {noun: 'program', words: programNames})});
	}

	return programs[name];
}

/** Flags that do not go together, or without a program. Throws `bad_usage`. */
function refuseTogether({flags}: Pick<CommandContext, 'flags'>, program: string | undefined): void {
	const {stdio, http, project, hook, remove, trust, yes} = flags;
	if (program === undefined && [stdio, http, project, hook, remove, trust !== undefined, yes].some(Boolean)) {
		throw new Problem('bad_usage', {message: `The name of a program is missing. Usage: ${usage}`});
	}

	if (stdio && http) {
		throw new Problem('bad_usage', {message: '--stdio and --http exclude each other'});
	}

	if (remove && (stdio || http || hook || trust !== undefined)) {
		throw new Problem('bad_usage', {
			message: '--remove takes out the entry and the hook; it goes with --project, --yes and --json alone',
		});
	}
}

/** Throws `bad_usage` with the reason for a program without a hook. */
function refuseWithoutHook({flags}: Pick<CommandContext, 'flags'>, {hook}: AgentProgram): void {
	if (flags.hook && hook.kind === 'none') {
		throw new Problem('bad_usage', {message: hook.reason, remedy: 'Leave out --hook'});
	}
}

function withoutFile({title, projectFiles}: AgentProgram): Problem {
	return projectFiles.length === 0
		? new Problem('bad_usage', {
				message: `${title} has no settings file for a project`,
				remedy: 'Leave out --project, which connects it for every project',
			})
		: new Problem('bad_usage', {message: 'HOME is not an absolute path, so the settings file cannot be found'});
}

/** Throws `server_exists` for an entry of somebody else under our name. */
function refuseForeign(settings: ProgramSettings): void {
	if (leadsElsewhere(settings)) {
		throw new Problem('server_exists', {
			message: `${settings.file.path} has an entry "sluice" that leads to another server; nothing was changed`,
			remedy: 'Rename or remove that entry there, and run the command again',
		});
	}
}
