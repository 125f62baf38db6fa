import {type StatusJson} from '../../state/json/gateway.ts';
import {dirname} from 'node:path';
import {type StatePaths} from '../../config/read/state-paths.ts';
import {type InstalledServiceJson} from '../../state/json/service.ts';
import {failureText, writePrivateFile} from '../../config/values/text-file.ts';
import {findHolder} from '../../control/lock.ts';
import {makePrivateFolder} from '../../util/make-private-folder.ts';
import {shellWord} from '../../util/named-commands.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {sleep} from '../../util/clock.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {withClient} from '../cli/connect-gateway.ts';
import {printResult} from '../cli/listing.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';
import {differenceText, textDifference} from '../setup/text-difference.ts';
import {findService, type Host, type Service, thisHost} from './find-service.ts';
import {type ServiceManager, type ServiceState} from './service-manager.ts';
import {isTemporaryProgram} from './service-file.ts';

const longestUnit = 20_000;
/** Attempts to reach a new gateway: it repairs its journal before it answers. */
const tries = 120;
const tryMilliseconds = 250;

/** `sluice service install [--print|--yes]`: shows the unit, writes it once the person agrees, starts it and waits until the gateway answers (docs/deployment.md, Service). */
export async function runServiceInstall(
	context: CommandContext,
	session: Session,
	host: Host = thisHost(),
): Promise<ExitCode> {
	noWords(context, 'sluice service install [--print|--yes]');
	const service = await findService(context, session, host);
	const {manager, file} = service;
	if (context.flags.print) {
		return printFile(context, service, host);
	}

	await manager.check();
	const before = await manager.state();
	refuseFile(service, before, context);
	const running = await gatewayStatus(context);
	await refuseRunning(running, before, session);
	if (file.kind === 'same' && before.enabled && before.run === 'running' && running) {
		printResult(
			context,
			{
				name: manager.name,
				path: manager.path,
				version: running.version,
				pid: running.pid,
			} satisfies InstalledServiceJson,
			`${manager.name} is installed and runs: gateway ${running.version}, process ${running.pid}.\n`,
		);
		return printNotes(context, manager);
	}

	showFile(context, service, host);
	if (!(await isWanted(context, service, before))) {
		return reportDeclined(context, 'Nothing was changed.');
	}

	await makeFolders(session.paths.logs);
	await writePrivateFile(manager.path, manager.texts[0]);
	context.stderr(`Written: ${safeText(manager.path)}\n`);
	return start(context, manager);
}

/** `--print`: the file on stdout, its path and the commands that install it on stderr. Needs no service manager, and writes nothing. */
function printFile(context: CommandContext, {manager}: Service, {program}: Host): 0 {
	const {path, texts, startCommands, logs} = manager;
	const write = `sluice service install --print > ${shellWord(path)}`;
	const folders = `mkdir -p ${shellWord(dirname(path))} ${shellWord(logs)}`;
	context.stdout(texts[0]);
	context.stderr(`\n${safeText(path)}\n\n`);
	context.stderr(['Install it with:', folders, write, ...startCommands].map(line => `${safeText(line)}\n`).join(''));
	context.stderr(isTemporaryProgram(program) ? temporaryNote(program) : '');
	return 0;
}

/** A unit whose folders are missing does not start; that of the logs is below the state directory. */
async function makeFolders(logs: string): Promise<void> {
	try {
		await makePrivateFolder(logs);
	} catch (error) {
		throw toProblem(error, 'config_unreadable', {message: `${logs} cannot be created${failureText(error)}`});
	}
}

/** Starts the service and waits until its gateway answers; says why not with the end of its log. */
async function start(context: CommandContext, manager: ServiceManager): Promise<ExitCode> {
	try {
		await manager.start();
		const status = await waitForGateway(context, manager);
		printResult(
			context,
			{name: manager.name, path: manager.path, version: status.version, pid: status.pid} satisfies InstalledServiceJson,
			`${manager.name} runs: gateway ${status.version}, process ${status.pid}, and starts by itself from now on.\n`,
		);
		return await printNotes(context, manager);
	} catch (error) {
		context.signal.throwIfAborted();
		const {failure} = await manager.state();
		const lines = await manager.lastLines();
		const shown = lines.map(line => `  ${safeText(line, {maximumCharacters: 500})}\n`).join('');
		context.stderr(lines.length === 0 ? '' : `The end of its log:\n${shown}`);
		const known = error instanceof Problem ? error.message : String(error);
		throw new Problem('service_failed', {
			message: [known, ...(failure ? [failure.message] : [])].join('. '),
			remedy: `${failure?.remedy ?? `Correct what the log says: \`${manager.logCommand}\`, \`sluice doctor\``}. The service stays installed; \`sluice service remove\` takes it away`,
			cause: error,
		});
	}
}

/** Looks again and again until the gateway answers. Rejects with `service_failed` when the service manager says that it failed, or it takes too long. */
async function waitForGateway(context: CommandContext, manager: ServiceManager): Promise<StatusJson> {
	for (let attempt = 0; attempt < tries; attempt++) {
		const {run} = await manager.state();
		if (run === 'failed') {
			throw new Problem('service_failed', {message: `${manager.name} was started, and its gateway ended`});
		}

		// Until it listens, the socket of an earlier one may be in its place.
		const status = await gatewayStatus(context).catch(() => undefined);
		if (status && run === 'running') {
			return status;
		}

		await sleep(context.clock, tryMilliseconds, context.signal);
	}

	throw new Problem('service_failed', {
		message: `${manager.name} was started, but its gateway has not answered within ${(tries * tryMilliseconds) / 1000} seconds`,
	});
}

/** The status of the running gateway; undefined: none answers. */
export function gatewayStatus(context: CommandContext): Promise<StatusJson | undefined> {
	return withClient(context, async client => client?.call('status', {}, {signal: context.signal}));
}

/** Files that are not ours to replace. */
function refuseFile({manager, file}: Service, {masked}: ServiceState, {flags}: CommandContext): void {
	if (masked) {
		throw new Problem('service_not_ours', {
			message: `${manager.name} is masked: systemd does not start it`,
			remedy: `Run \`systemctl --user unmask ${manager.name}\`, then \`sluice service install\` again`,
		});
	}

	if (file.kind === 'other-home') {
		throw otherHomeProblem(manager, file.home);
	}

	if (file.kind === 'by-hand' && flags.yes) {
		throw new Problem('service_not_ours', {
			message: `${manager.path} was not written by \`sluice service install\``,
			remedy: `Run \`sluice service install\` on a terminal, which shows the difference, or move the file away`,
		});
	}
}

/** A file of ours that is for another state directory: two of them need two profiles. */
export function otherHomeProblem({name, path}: ServiceManager, home: string): Problem {
	return new Problem('service_not_ours', {
		message: `${name} runs the gateway of ${safeText(home)} (${path})`,
		remedy: `Remove it with that state directory as \`--home\`, or give this gateway a profile of its own with \`--profile NAME\``,
	});
}

/** The process of a running gateway that is not that of the service. */
export async function findOtherGateway(
	running: StatusJson | undefined,
	service: ServiceState | undefined,
	{lock}: Pick<StatePaths, 'lock'>,
): Promise<number | undefined> {
	const pid = running?.pid ?? (await findHolder(lock).catch(() => undefined));
	const isService = service !== undefined && (service.pid === null ? service.run === 'starting' : service.pid === pid);
	return isService ? undefined : pid;
}

/** A gateway that somebody started by hand has the lock, and that of the service would not get it. */
async function refuseRunning(running: StatusJson | undefined, before: ServiceState, {paths}: Session): Promise<void> {
	const pid = await findOtherGateway(running, before, paths);
	if (pid !== undefined) {
		throw new Problem('gateway_running', {
			message: `A gateway that is not this service (process ${pid}) runs on ${paths.directory}; the service would not get its lock`,
			remedy: `${running ? 'Stop it with `sluice stop`' : `It does not answer: end it with \`kill ${pid}\``}, then run \`sluice service install\` again`,
		});
	}
}

function showFile({stderr}: CommandContext, {manager, file}: Service, {program, uid}: Host): void {
	const [text] = manager.texts;
	const show = (shown: string) => safeText(shown, {multiline: true, maximumCharacters: longestUnit});
	if (file.kind === 'absent') {
		stderr(`${manager.path}\n\n${show(text)}\n`);
	} else if (file.kind === 'same') {
		stderr(`${manager.path} is up to date.\n`);
	} else if ('text' in file) {
		const whose = file.kind === 'by-hand' ? ' It was not written by `sluice service install`.' : '';
		stderr(
			`${manager.path} would change as follows.${whose}\n\n${show(differenceText(textDifference(file.text, text)))}\n`,
		);
	}

	if (isTemporaryProgram(program)) {
		stderr(temporaryNote(program));
	}

	if (uid === 0) {
		stderr(
			'Note: the gateway and its tool servers would run as root. Give it a user of its own instead (docs/deployment.md, Another user).\n',
		);
	}
}

function temporaryNote(program: string): string {
	return `Note: npx fetched this program to ${dirname(program)}, and npm may remove it; install it for good with \`npm install --global\`.\n`;
}

async function isWanted(
	{flags, confirm}: CommandContext,
	{manager, file}: Service,
	{run}: ServiceState,
): Promise<boolean> {
	if (flags.yes) {
		return true;
	}

	const write = file.kind === 'same' ? '' : file.kind === 'absent' ? 'Write it, and ' : 'Change it, and ';
	const begin = run === 'running' ? `restart ${manager.name}` : `start ${manager.name} now and by itself from then on`;
	const question = write === '' ? `${begin.charAt(0).toUpperCase()}${begin.slice(1)}?` : `${write}${begin}?`;
	const answer = await confirm(question);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {message: 'Without a terminal `sluice service install` needs --yes'});
	}

	return answer === 'yes';
}

async function printNotes({stderr}: CommandContext, manager: ServiceManager): Promise<0> {
	stderr(
		`\n${manager
			.notes(await manager.lingers())
			.map(note => `- ${note}\n`)
			.join('')}`,
	);
	return 0;
}
