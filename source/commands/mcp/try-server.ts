import {type SeparatedEntry} from '../../config/secrets/entry-secrets.ts';
import {type ProbeReport} from '../../gateway/probe-server.ts';
import {type ToolDefinition} from '../../mcp/connection.ts';
import {type NextAction, withheldText} from '../../state/next-action.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {quoted, safeText, shownName} from '../../util/safe-text.ts';
import {type CommandContext, reportWaiting} from '../cli/command.ts';
import {type Dialog} from '../cli/dialog.ts';
import {type ConfigSession, type Probe, type ProposedLogins} from './config-session.ts';
import {logInToNewServer, wantsLogin} from './new-server-login.ts';
import {answerText} from './probe-text.ts';

/** A new server, how it is tried, and who is asked. */
export type Trial = {
	readonly server: SeparatedEntry & {readonly name: string};
	readonly probe: Probe;
	/** Variables that the server does not get and that explain why it takes long. */
	readonly withheld: ConfigSession['withheld'];
	readonly dialog: Dialog | undefined;
	readonly logins: ProposedLogins;
};

/** The entry of a new server as it is to be written, and how the server answered. */
export type TriedServer = {readonly entry: JsonObject; readonly report?: ProbeReport};

/** The tools a person wants: all of them, or these. */
type ToolChoice = 'all' | readonly string[];

/** Connects a new server and asks which of its tools are wanted. Throws when it did not answer and nobody wants it all the same. */
export async function tryServer(
	context: Pick<CommandContext, 'flags' | 'stderr' | 'signal' | 'clock'>,
	trial: Trial,
): Promise<TriedServer> {
	const {server, dialog} = trial;
	if (context.flags.probe === false) {
		return {entry: server.entry};
	}

	const report = await connect(context, trial);
	if (report.state === 'connected') {
		return {entry: await withChosenTools(context, {dialog, report, entry: server.entry}), report};
	}

	const offered = wantsLogin(report) && dialog ? await logInToNewServer(context, {...trial, dialog}) : undefined;
	if (offered?.kind === 'logged-in') {
		return tryLoggedIn(context, {...trial, server: {...server, entry: offered.entry}}, offered.forget);
	}

	if (offered?.kind === 'failed') {
		context.stderr(`${safeText(offered.why)}\n`);
	}

	// A login that was announced is no failure: it can be made later.
	if (report.state === 'needs-login' && !dialog) {
		return {entry: server.entry, report};
	}

	await agreeToFailure(context, dialog, report);
	return {entry: offered?.kind === 'failed' ? offered.entry : server.entry, report};
}

/** Throws when a server did not answer and nobody wants it all the same. */
async function agreeToFailure(
	context: Pick<CommandContext, 'flags'>,
	dialog: Dialog | undefined,
	report: ProbeReport,
): Promise<void> {
	const isWanted = context.flags.yes || (await dialog?.confirm('Add it anyway?', 'no'));
	if (!isWanted) {
		throw dialog
			? new Problem('cancelled', {message: 'Nothing was changed'})
			: new Problem('server_unavailable', {
					message: wantsLogin(report)
						? 'It was not added, because it needs a login'
						: 'It was not added, because it did not answer',
					remedy: wantsLogin(report) ? '--auth oauth adds it with a login, --yes without one' : '--yes adds it anyway',
				});
	}
}

async function connect(
	context: Pick<CommandContext, 'stderr' | 'signal' | 'clock'>,
	{server, probe, withheld}: Pick<Trial, 'server' | 'probe' | 'withheld'>,
): Promise<ProbeReport> {
	context.stderr(`Connecting to ${server.name} …\n`);
	const names = await withheld(server);
	const report = await reportWaiting(context, server.name, probe(server, {signal: context.signal}), () =>
		names.length === 0 ? undefined : passEnvText({names}),
	);
	const answer = wantsLogin(report) ? loginNeededText(server.name, report) : answerText(server, unconfigured(report));
	context.stderr(`${answer}\n`);
	return report;
}

/** The report as it is for a server that is not configured: nothing tries it again, and variables are passed by a flag. */
function unconfigured({nextActions = [], ...report}: ProbeReport): ProbeReport {
	return {
		...report,
		nextActions: nextActions
			.filter(({kind}) => kind !== 'try-now' && kind !== 'reconnect')
			.map((action): NextAction => (action.kind === 'pass-env' ? {kind: 'text', text: passEnvText(action)} : action)),
	};
}

/** Says which variables a server that is not configured yet does not get, and the flags that pass them on. */
function passEnvText({names}: {readonly names: readonly string[]}): string {
	return withheldText(names, `add it with ${names.map(name => `--pass-env ${name}`).join(' ')}`);
}

/** A server that wants a login. It is not configured, so there is no command or key for that yet. */
function loginNeededText(name: string, {login}: ProbeReport): string {
	return login === 'asked-for'
		? `${name} refuses requests without credentials: it needs a login, or a header.`
		: `${name} needs a login.`;
}

/** Connects once more with the tokens of a login; they are removed again when the person does not want the server after all. */
async function tryLoggedIn(
	context: Pick<CommandContext, 'flags' | 'stderr' | 'signal' | 'clock'>,
	trial: Trial,
	forget: () => Promise<unknown>,
): Promise<TriedServer> {
	const {server, dialog} = trial;
	try {
		const report = await connect(context, trial);
		if (report.state !== 'connected') {
			await agreeToFailure(context, dialog, report);
		}

		return {entry: await withChosenTools(context, {dialog, report, entry: server.entry}), report};
	} catch (error) {
		await forget();
		throw error;
	}
}

async function withChosenTools(
	context: Pick<CommandContext, 'stderr'>,
	{dialog, report, entry}: {readonly report: ProbeReport; readonly entry: JsonObject} & Pick<Trial, 'dialog'>,
): Promise<JsonObject> {
	if (!dialog || entry['tools'] !== undefined || report.tools.length === 0) {
		return entry;
	}

	const choice = await askForTools(context, dialog, report.tools);
	return choice === 'all' ? entry : {...entry, tools: {include: choice}};
}

/** Shows the tools of a server and asks which of them are wanted, until the answer is one. */
async function askForTools(
	context: Pick<CommandContext, 'stderr'>,
	dialog: Dialog,
	tools: readonly ToolDefinition[],
): Promise<ToolChoice> {
	const names = tools.map(tool => tool.name);
	context.stderr(toolLines(tools));
	for (;;) {
		const answer = await dialog.ask('Which of them? Enter for all, none, or numbers or names like 1,3-5');
		const choice = readToolChoice(answer, names);
		if (choice !== undefined) {
			return choice;
		}

		context.stderr('That does not match a tool in this list.\n');
	}
}

/** Reads an answer: empty or `all`, `none`, or numbers, ranges and names separated by commas or blanks. Undefined when a part of it names nothing. */
export function readToolChoice(answer: string, names: readonly string[]): ToolChoice | undefined {
	if (answer === '' || answer === 'all') {
		return 'all';
	}

	if (answer === 'none') {
		return [];
	}

	const chosen = answer.split(/[\s,]+/u).map(part => readPart(part, names));
	const known = chosen.filter(part => part !== undefined);
	return known.length === chosen.length ? names.filter(name => known.flat().includes(name)) : undefined;
}

function readPart(part: string, names: readonly string[]): readonly string[] | undefined {
	const [, first = '', last = first] = /^(\d+)(?:-(\d+))?$/u.exec(part) ?? [];
	if (first !== '') {
		const chosen = names.slice(Math.max(Number(first) - 1, 0), Number(last));
		return Number(first) >= 1 && Number(last) <= names.length && chosen.length > 0 ? chosen : undefined;
	}

	return names.includes(part) ? [part] : undefined;
}

/** The tools of a server, numbered, with what they claim to do. */
export function toolLines(tools: readonly ToolDefinition[]): string {
	const names = tools.map(({name}) => shownName(name, {maximumCharacters: 60}));
	const width = Math.min(Math.max(0, ...names.map(({length}) => length)), 40);
	return tools
		.map(({title, description = '', annotations}, index) => {
			const number = String(index + 1).padStart(4);
			const claim = annotations?.readOnlyHint === true ? 'read-only' : 'may change';
			const [firstLine = ''] = description.split('\n', 1);
			const words =
				title === undefined ? safeText(firstLine, {maximumCharacters: 60}) : quoted(title, {maximumCharacters: 60});
			return `${number}  ${(names[index] ?? '').padEnd(width)}  ${claim}  ${words}`.trimEnd();
		})
		.map(line => `${line}\n`)
		.join('');
}
