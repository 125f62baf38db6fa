import {findHolder} from '../../control/lock.ts';
import {type StoredWork, type WorkCounts} from '../../gateway/stored-work.ts';
import {Problem, problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';
import {findService, type Host, type Service, thisHost} from './find-service.ts';
import {isTemporaryProgram, programPaths} from './service-file.ts';
import {findOtherGateway, gatewayStatus} from './service-install.ts';
import {assertOwnFile, removeService} from './service-remove.ts';
import {findRemovableState, type RemovableState, removeState} from './state-removal.ts';

/** Counts the unfinished work in the state directory. */
export type ReadWork = () => Promise<StoredWork>;

/** `sluice uninstall --json` (docs/cli.md, JSON). */
type UninstallJson = {
	/** The service that was removed. */
	readonly service: {readonly name: string; readonly path: string} | null;
	readonly state_directory: string;
	/** True if the state directory was deleted. */
	readonly purged: boolean;
	/** The work that was deleted with it; null: there was no journal, or it could not be read. */
	readonly work: WorkCounts | null;
	/** The command that removes the package. */
	readonly package: string | null;
};

/**
`sluice uninstall [--purge] [--yes] [--json]`: stops and removes the service that Sluice wrote, and with `--purge` deletes the state directory. Rejects,
before anything changes, with `service_not_ours`, `gateway_running`, or `bad_usage` for a folder that is no state directory.
*/
export async function runUninstall(
	context: CommandContext,
	session: Session,
	{readWork, host = thisHost()}: {readonly readWork: ReadWork; readonly host?: Host},
): Promise<ExitCode> {
	noWords(context, 'sluice uninstall [--purge] [--yes] [--json]');
	const {paths, environment} = session;
	const {home, uid} = host;
	const service = await findInstalled(context, session, host);
	await refuseRunning(context, session, service);
	const {runtimeDirectory} = environment;
	const state = context.flags.purge ? await findRemovableState(paths, {home, uid, runtimeDirectory}) : undefined;
	await refuseOtherProfiles(context, session, {state, host});
	if (service && !(await isWanted(context, `Stop ${service.manager.name}, and remove ${service.manager.path}?`))) {
		return reportDeclined(context, 'Nothing was changed.');
	}

	if (service) {
		await removeService(service);
		context.stderr(`Stopped and removed ${service.manager.name}.\n`);
	}

	const purge = state ? await purgeState(context, state, readWork) : undefined;
	const {kind = 'absent', work = null} = purge ?? {};
	return report(context, kind, {
		service: service ? {name: service.manager.name, path: service.manager.path} : null,
		state_directory: paths.directory,
		purged: kind === 'deleted',
		work,
		package: packageCommand(host.program),
	});
}

/** The installed service; undefined: there is none, or the system has no service manager. */
async function findInstalled(context: CommandContext, session: Session, host: Host): Promise<Service | undefined> {
	if (host.platform !== 'linux' && host.platform !== 'darwin') {
		return undefined;
	}

	const service = await findService(context, session, host);
	if (service.file.kind === 'absent') {
		return undefined;
	}

	assertOwnFile(service);
	await service.manager.check();
	return service;
}

/** A gateway that is not that of the service goes on otherwise, and without its files. */
async function refuseRunning(context: CommandContext, {paths}: Session, service: Service | undefined): Promise<void> {
	const running = await gatewayStatus(context);
	const pid = await findOtherGateway(running, await service?.manager.state(), paths);
	if (pid !== undefined) {
		throw new Problem('gateway_running', {
			message: `A gateway (process ${pid}) runs on ${safeText(paths.directory)}; nothing was changed`,
			remedy: `${running ? 'Stop it with `sluice stop`' : `It does not answer: end it with \`kill ${pid}\``}, then run \`sluice uninstall\` again`,
		});
	}
}

/** The other profiles of a directory that is to be deleted: none may have a gateway or a service. */
async function refuseOtherProfiles(
	context: CommandContext,
	session: Session,
	{state, host}: {readonly state: RemovableState | undefined; readonly host: Host},
): Promise<void> {
	for (const paths of state?.profiles.slice(1) ?? []) {
		const {profile} = paths;
		const pid = await findHolder(paths.lock).catch(() => undefined);
		if (pid !== undefined) {
			throw new Problem('gateway_running', {
				message: `A gateway (process ${pid}) runs on the profile ${profile}; nothing was changed`,
				remedy: `Stop it with \`sluice --profile ${profile} stop\`, then run \`sluice uninstall --purge\` again`,
			});
		}

		if (await findInstalled(context, {...session, paths}, host)) {
			throw new Problem('gateway_running', {
				message: `A service of the profile ${profile} is installed; nothing was changed`,
				remedy: `Remove it with \`sluice --profile ${profile} uninstall\`, then run \`sluice uninstall --purge\` again`,
			});
		}
	}
}

type Purge = {readonly kind: 'deleted' | 'kept'; readonly work: WorkCounts | null};

/** Says what is lost with the directory, asks, and deletes it. */
async function purgeState(context: CommandContext, state: RemovableState, readWork: ReadWork): Promise<Purge> {
	const work = await readWork().catch(toProblem);
	context.stderr(`${workText(work)}\n`);
	const question = `Delete ${safeText(state.directory)} and everything in it, with secrets, scripts and journal?`;
	if (!(await isWanted(context, question))) {
		return {kind: 'kept', work: null};
	}

	await removeState(state);
	return {kind: 'deleted', work: !(work instanceof Problem) && work.kind === 'counted' ? work.counts : null};
}

function workText(work: StoredWork | Problem): string {
	if (work instanceof Problem) {
		return `The unfinished work could not be read: ${safeText(problemLine(work))}`;
	}

	switch (work.kind) {
		case 'none':
			return 'There is no journal, so there is no unfinished work.';
		case 'database':
			return 'The journal is in the database of `journal.url`, which is kept.';
		case 'counted': {
			const {queued, waiting, uncertain} = work.counts;
			return `The journal has ${queued} queued, ${waiting} waiting and ${uncertain} uncertain.`;
		}
	}
}

async function isWanted({flags, confirm}: CommandContext, question: string): Promise<boolean> {
	const answer = flags.yes ? 'yes' : await confirm(question);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {message: 'Without a terminal `sluice uninstall` needs --yes'});
	}

	return answer === 'yes';
}

function report(context: CommandContext, purge: Purge['kind'] | 'absent', result: UninstallJson): ExitCode {
	const {service, purged} = result;
	const directory = safeText(result.state_directory);
	if (context.flags.json) {
		context.stdout(jsonDocument(result));
	} else {
		context.stdout(service ? '' : 'No service is installed.\n');
		const kept = context.flags.purge
			? `${directory} is kept.`
			: `${directory} is kept; \`sluice uninstall --purge\` deletes it.`;
		context.stdout(purged ? `Deleted ${directory}.\n` : context.nameCommands(`${kept}\n`));
		context.stdout(`${packageText(result.package)}\n`);
	}

	return purge === 'kept' ? 1 : 0;
}

function packageText(command: string | null): string {
	return command === null
		? 'No installed package was found: if Sluice runs from a folder, delete that folder.'
		: `Remove the package: \`${command}\``;
}

/** The command that removes the program as npm installed it; null: npx fetched it, or it runs from a folder of its own. */
function packageCommand(program: string): string | null {
	const isInstalled = programPaths(program).some(path => path.includes('/node_modules/'));
	return isInstalled && !isTemporaryProgram(program) ? 'npm uninstall --global sluice' : null;
}
