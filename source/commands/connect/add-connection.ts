import {isDeepStrictEqual} from 'node:util';
import {type Places} from '../../config/programs/places.ts';
import {timeoutMember, timeoutSecondsOf, wantedTimeoutSeconds} from '../../config/programs/own-entry.ts';
import {type ProgramFile, writeProgramFile} from '../../config/programs/program-file.ts';
import {type AgentProgram} from '../../config/programs/programs.ts';
import {type ConnectedProgramJson} from '../../state/json/program.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {quoted, safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenOwnApi} from '../cli/connect-gateway.ts';
import {printResult} from '../cli/listing.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {commandLine} from '../cli/words.ts';
import {loadConfigSession} from '../mcp/config-session.ts';
import {applyConnection, type WriteFile} from './apply-files.ts';
import {changeText} from './change-text.ts';
import {findClaude, isWithoutSecrets} from './claude-command.ts';
import {isTrusted, type PlannedFile, planConnection, planRemoval} from './plan-connection.ts';
import {findHook, hookFile} from './hook-settings.ts';
import {type ProgramSettings, readSettingsAt} from './program-settings.ts';
import {createServerEntry, hookWords} from './server-entry.ts';
import {isTrustConfirmed} from './trust-question.ts';

type Parts = {readonly settings: ProgramSettings; readonly places: Places; readonly openOwn: OpenOwnApi};

/** `sluice connect PROGRAM`: shows the change, asks, keeps the texts of before, and writes. */
export async function addConnection(context: CommandContext, session: Session, parts: Parts): Promise<ExitCode> {
	const {settings, places} = parts;
	const {program, file} = settings;
	const {config} = await loadConfigSession(session);
	const seconds = wantedTimeoutSeconds(config);
	const server = await createServerEntry(context, session, {program, config});
	const trusted = await isTrustWanted(context, program, parts.openOwn);
	const present = timeoutSecondsOf(program, settings.entry ?? {}) ?? 0;
	const timeout = isUsualPlace(settings) ? timeoutMember(program, Math.max(seconds, present)) : {};
	const wanted = {...server.entry, ...timeout};
	const hook = await wantedHook(context, session, parts);
	const {entry, files} = await planConnection(settings, {entry: wanted, trusted, hook, places});
	const done = async (state: ConnectedProgramJson['state']) => {
		const now = await readSettingsAt(program, places, {scope: settings.scope, path: file.path});
		const imported = await offerImport(context, session, now);
		printConnected(
			context,
			{...now, imported},
			{
				name: program.name,
				file: file.path,
				state,
				way: server.way,
				trusted: await isTrusted(now, places),
				timeout_seconds: timeoutSecondsOf(program, now.entry ?? {}) ?? null,
				hook: (await findHook({program, scope: settings.scope, places}))?.file.path ?? null,
				servers_beside: now.beside,
				try: tryText,
			},
		);
		return 0 as const;
	};
	if (files.length === 0) {
		await server.prepare();
		return done('unchanged');
	}

	const claude = isWithoutSecrets(entry) ? findClaude(context, session, parts) : undefined;
	const isOfEntry = (planned: PlannedFile | undefined) => planned?.file.path === file.path;
	const line = claude && isOfEntry(files[0]) ? safeText(claude.addLine(entry), {maximumCharacters: 4000}) : undefined;
	context.stderr(files.map(planned => changeText(planned.file, planned.format, planned.shown)).join(''));
	context.stderr(server.notice);
	context.stderr(hook ? hookNotes(program) : '');
	context.stderr(line === undefined ? '' : `Claude Code changes its file itself:\n  ${line}\n`);
	if (!(await isConfirmed(context, program.title))) {
		return reportDeclined(context, 'Nothing was changed.');
	}

	await server.prepare();
	const write: WriteFile = planned =>
		claude && isOfEntry(planned) ? claude.add(entry) : writeProgramFile(planned.file, planned.after);
	await applyConnection(session.paths, settings, {
		files,
		withoutEntry: one => textWithoutEntry(settings, places, one),
		write,
		hook: hook && hookFile({program, scope: settings.scope, places}),
	});
	return done(settings.own ? 'updated' : 'connected');
}

/** The limits of the hook of a program, for a person who is about to write it; empty: it has none. */
function hookNotes({title, hook}: AgentProgram): string {
	return hook.kind === 'none'
		? ''
		: `\nThe hook has ${title} ask in Sluice about calls of its own tools.\n${hook.failure}\n${hook.unreached}\n`;
}

/** The command line of the hook that this start wants: with --hook, and where one of ours is there, which is then brought up to date. */
async function wantedHook(
	{flags}: Pick<CommandContext, 'flags'>,
	session: Session,
	{settings: {program, scope}, places}: Parts,
): Promise<readonly string[] | undefined> {
	const isWanted = flags.hook || (await findHook({program, scope, places})) !== undefined;
	return isWanted ? hookWords(session, program) : undefined;
}

/** In another place than the usual one, as in a newer format, the keys of an entry beyond its command are not known. */
function isUsualPlace({program, path}: ProgramSettings): boolean {
	return isDeepStrictEqual(path.slice(0, -1), program.serverPaths.at(-1));
}

async function isTrustWanted(
	context: CommandContext,
	{title, trust}: AgentProgram,
	openOwn: OpenOwnApi,
): Promise<boolean> {
	if (context.flags.trust === undefined) {
		return false;
	}

	if (!trust) {
		throw new Problem('bad_usage', {
			message: `${title} has no setting in a file that trusts the tools of one server`,
			remedy: 'Leave out --trust, and allow the tools in the program itself',
		});
	}

	const isWanted = await isTrustConfirmed(context, title, openOwn);
	context.stderr(isWanted ? '' : `${title} goes on asking.\n`);
	return isWanted;
}

async function isConfirmed(context: CommandContext, title: string): Promise<boolean> {
	const answer = context.flags.yes ? 'yes' : await context.confirm(`Connect ${title} to Sluice?`);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {message: 'Without a terminal `sluice connect` needs --yes'});
	}

	return answer === 'yes';
}

/** The text of a file without what a former connection has written. */
async function textWithoutEntry(
	settings: ProgramSettings,
	places: Places,
	file: ProgramFile,
): Promise<string | undefined> {
	const removed = await planRemoval(settings, {places, recorded: settings.own ? [settings.file.path] : []});
	const planned = removed.find(one => one.file.path === file.path);
	return planned ? planned.after : file.text;
}

const tryText = 'List the tools of the server sluice, and call one that only reads.';

/** Offers to take over the servers that stay beside; what goes wrong there does not undo the connection. */
async function offerImport(
	context: CommandContext,
	session: Session,
	{program: {name, title}, beside}: ProgramSettings,
): Promise<'taken-over' | 'left'> {
	if (beside.length === 0 || context.flags.yes || context.flags.json) {
		return 'left';
	}

	context.stderr(`${title} calls ${servers(beside)} without Sluice: ${names(beside)}\n`);
	if ((await context.confirm('Take over what is new there into Sluice?')) !== 'yes') {
		return 'left';
	}

	try {
		const [{runMcpImport}, {clientConfigSource, findClientConfigs}] = await Promise.all([
			import('../mcp/mcp-import.ts'),
			import('../../config/import/client-configs.ts'),
		]);
		const {environment} = session;
		const asked = {...context, arguments: [name], flags: {...context.flags, all: true}};
		await runMcpImport(asked, session, wanted =>
			findClientConfigs(environment, clientConfigSource(wanted, environment.workingDirectory)),
		);
		return 'taken-over';
	} catch (error) {
		const {message, remedy} = toProblem(error);
		context.stderr(`sluice: ${message}\n        ${remedy}\n`);
		return 'left';
	}
}

function printConnected(
	context: CommandContext,
	settings: ProgramSettings & {readonly imported: 'taken-over' | 'left'},
	document: ConnectedProgramJson,
): void {
	const {program, beside, otherOwn, scope, imported} = settings;
	const {title, hook} = program;
	const verb = {connected: 'Connected', updated: 'Updated', unchanged: 'Nothing to change for'}[document.state];
	printResult(context, document, `${verb} ${title} over ${document.way}: ${safeText(document.file)}\n`);
	const notes = [
		...timeoutNotes(document.timeout_seconds, settings),
		...(scope === 'project' ? ['The entry has paths of this machine; others who share the file need their own.'] : []),
		...(otherOwn.length === 0
			? []
			: [`${names(otherOwn)} leads to Sluice too, so its tools are there twice; remove one.`]),
		...besideNotes(context, program, {beside, imported}),
		...(document.hook !== null && hook.kind === 'settings' && hook.trust ? [hook.trust.act] : []),
		`Open \`${commandLine(context, 'sluice')}\`, where you are asked about calls; then restart ${title}, and type:`,
		`  ${document.try}`,
	];
	context.stderr(notes.map(note => `${note}\n`).join(''));
}

function timeoutNotes(seconds: number | null, {program}: ProgramSettings): readonly string[] {
	const {title, timeout} = program;
	if (seconds === null) {
		return [
			`No setting of ${title} for the time of a call is known; a call that waits longer than it does is withdrawn.`,
		];
	}

	return timeout?.maximumSeconds === seconds
		? [`${title} gives a call at most ${seconds} seconds; a call that waits longer is withdrawn.`]
		: [];
}

function besideNotes(
	context: CommandContext,
	program: AgentProgram,
	{beside, imported}: {readonly beside: readonly string[]; readonly imported: 'taken-over' | 'left'},
): readonly string[] {
	if (beside.length === 0) {
		return [];
	}

	const {name, title, switchOff} = program;
	const off = switchOff === undefined ? 'remove its entry there' : `set \`${switchOff}\` in its entry`;
	if (imported === 'taken-over') {
		return [`${title} goes on calling its own, too; for what you took over, ${off}.`];
	}

	return [
		`${title} calls ${servers(beside)} without Sluice: ${names(beside)}`,
		`  \`${commandLine(context, `sluice mcp import ${name}`)}\` takes them over; then ${off}.`,
	];
}

function servers(beside: readonly string[]): string {
	return beside.length === 1 ? 'another server' : `${beside.length} other servers`;
}

function names(list: readonly string[]): string {
	return list.map(name => quoted(name, {maximumCharacters: 60})).join(', ');
}
