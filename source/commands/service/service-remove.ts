import {rm} from 'node:fs/promises';
import {failureText} from '../../config/values/text-file.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {shellWord} from '../../util/named-commands.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printResult} from '../cli/listing.ts';
import {type Session} from '../cli/session.ts';
import {type RemovedServiceJson} from '../../state/json/service.ts';
import {noWords} from '../cli/words.ts';
import {findService, type Host, type Service, thisHost} from './find-service.ts';
import {otherHomeProblem} from './service-install.ts';

/** `sluice service remove [--yes]`: stops the service, and removes its file if it is ours. The state directory stays. */
export async function runServiceRemove(
	context: CommandContext,
	session: Session,
	host: Host = thisHost(),
): Promise<ExitCode> {
	noWords(context, 'sluice service remove [--yes]');
	const service = await findService(context, session, host);
	const {manager, file} = service;
	if (file.kind === 'absent') {
		printResult(context, {name: manager.name, path: manager.path, removed: false} satisfies RemovedServiceJson, '');
		context.stderr(`${manager.name} is not installed; there is no ${manager.path}\n`);
		return 0;
	}

	assertOwnFile(service);
	await manager.check();
	if (!(await isWanted(context, service))) {
		return reportDeclined(context, 'Nothing was changed.');
	}

	await removeService(service);
	const document: RemovedServiceJson = {name: manager.name, path: manager.path, removed: true};
	printResult(context, document, `Stopped and removed ${manager.name}.\n`);
	context.stderr(`${session.paths.directory} is kept.\n`);
	return 0;
}

/** Stops an installed service, and removes its file. Rejects with `service_failed`. */
export async function removeService({manager}: Service): Promise<void> {
	await manager.stop();
	await removeFile(manager.path);
	await manager.forget();
}

/** Throws `service_not_ours` for a file that is not for us to remove. */
export function assertOwnFile({manager, file}: Service): void {
	if (file.kind === 'other-home') {
		throw otherHomeProblem(manager, file.home);
	}

	if (file.kind === 'by-hand') {
		const stop = manager.kind === 'systemd' ? `\`systemctl --user disable --now ${manager.name}\`, then ` : '';
		throw new Problem('service_not_ours', {
			message: `${manager.path} was not written by \`sluice service install\``,
			remedy: `Remove it yourself: ${stop}\`rm ${shellWord(manager.path)}\``,
		});
	}
}

async function isWanted({flags, confirm}: CommandContext, {manager}: Service): Promise<boolean> {
	const answer = flags.yes ? 'yes' : await confirm(`Stop ${manager.name}, and remove ${manager.path}?`);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {message: 'Without a terminal `sluice service remove` needs --yes'});
	}

	return answer === 'yes';
}

async function removeFile(path: string): Promise<void> {
	try {
		await rm(path);
	} catch (error) {
		throw toProblem(error, 'service_failed', {
			message: `The service is stopped, but ${path} cannot be removed${failureText(error)}`,
		});
	}
}
