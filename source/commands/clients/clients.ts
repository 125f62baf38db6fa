import {randomBytes} from 'node:crypto';
import {assertCommandMayChange} from '../../config/edit/guarded-settings.ts';
import {createProfileChange, type ProfileChange} from '../../config/edit/profile-change.ts';
import {clientNamePattern} from '../../config/read/endpoint-clients.ts';
import {variableName} from '../../config/secrets/entry-secrets.ts';
import {endpointTokenName} from '../../config/secrets/env-file.ts';
import {referencesIn} from '../../config/secrets/variables.ts';
import {valueAt} from '../../config/values/plain-value.ts';
import {isJsonObject} from '../../util/json-text.ts';
import {didYouMean} from '../../config/values/did-you-mean.ts';
import {type ChangedClientJson} from '../../state/json/client.ts';
import {clientTable} from '../../state/entities/client.ts';
import {defaultClient} from '../../state/origin.ts';
import {Problem} from '../../util/problem.ts';
import {quoted} from '../../util/safe-text.ts';
import {readVersionCheck} from '../config/config-change.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {reloadGateway} from '../cli/connect-gateway.ts';
import {printResult, printRows} from '../cli/listing.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {listOf, noWords, onlyWord} from '../cli/words.ts';
import {readClients} from './read-clients.ts';

const section = ['gateway', 'endpoint', 'clients'] as const;

/** `sluice clients list [--json]`: the clients as config.yaml and `.env` have them. */
export async function runClientsList(context: CommandContext, session: Session): Promise<ExitCode> {
	noWords(context, 'sluice clients list [--json]');
	const {rows} = await readClients(session);
	await printRows(context, rows, {...clientTable, none: 'The endpoint has no client.'});
	return 0;
}

/** `sluice clients add NAME`: a new token in `.env`, and a reference to it in config.yaml. */
export async function runClientsAdd(context: CommandContext, session: Session): Promise<ExitCode> {
	const name = onlyWord(context, 'sluice clients add NAME [--tools LIST] [--json]');
	if (!clientNamePattern.test(name) || name === defaultClient) {
		throw new Problem('bad_usage', {
			message: `${quoted(name, {maximumCharacters: 100})} cannot be the name of a new client: letters, digits and _ . - are allowed, at most 64, and not \`${defaultClient}\``,
		});
	}

	const include = context.flags.tools === undefined ? undefined : listOf(context.flags.tools);
	const planned = await planClient(context, session, {name, include});
	if (planned.kind === 'present') {
		throw new Problem('bad_usage', {
			message: `The client ${name} exists already`,
			remedy: `Give it a new token with \`sluice clients rotate ${name}\``,
		});
	}

	const {variable, write} = planned;
	await write();
	printChange(context, {name, variables: [variable]}, `Added ${name}. Its token is in .env as ${variable}.\n`);
	return 0;
}

/** A client of the endpoint, and the variable of its token. */
type PlannedClient =
	/** `variable` throws `bad_usage` for a token that is no reference. */
	| {readonly kind: 'present'; readonly variable: () => string}
	| {readonly kind: 'new'; readonly variable: string; readonly write: () => Promise<void>};

/** The client of that name, or a new one that is not written yet. */
export async function planClient(
	context: CommandContext,
	session: Session,
	{name, include}: {readonly name: string; readonly include?: readonly string[] | undefined},
): Promise<PlannedClient> {
	const edit = await openEdit(session);
	if (edit.change.config.has([...section, name])) {
		return {kind: 'present', variable: () => tokenVariable(edit, name)};
	}

	const variable = freeVariable(edit.change, `SLUICE_CLIENT_${variableName(name)}`);
	edit.change.setVariables({[variable]: newToken()});
	edit.change.config.set([...section, name], {token: `\${${variable}}`, ...(include && {tools: {include}})});
	return {kind: 'new', variable, write: () => commit(context, edit)};
}

/** `sluice clients rotate NAME`: another token in the same variable. */
export async function runClientsRotate(context: CommandContext, session: Session): Promise<ExitCode> {
	const edit = await openEdit(session);
	const name = findClient(edit, onlyWord(context, 'sluice clients rotate NAME [--json]'));
	const variable = tokenVariable(edit, name);
	edit.change.setVariables({[variable]: newToken()});
	await commit(context, edit);
	printChange(context, {name, variables: [variable]}, `${name} has a new token, in .env as ${variable}.\n`);
	return 0;
}

/** `sluice clients remove NAME`: takes out the entry, and the variable that nothing else refers to. */
export async function runClientsRemove(context: CommandContext, session: Session): Promise<ExitCode> {
	const edit = await openEdit(session);
	const name = findClient(edit, onlyWord(context, 'sluice clients remove NAME [--yes] [--json]'));
	const {change} = edit;
	const before = referencesIn(valueAt(edit.before, [...section, name]));
	if (name === defaultClient) {
		change.config.set([...section, name], false);
	} else {
		change.config.remove([...section, name]);
	}

	const used = referencesIn(change.config.value());
	const variables = before.filter(variable => !used.includes(variable) && change.variable(variable) !== undefined);
	change.removeVariables(variables);
	if (!(await isConfirmed(context, name))) {
		return reportDeclined(context, 'Nothing was changed.');
	}

	await commit(context, edit);
	const also = variables.length === 0 ? '' : `, and ${variables.join(', ')} from .env`;
	printChange(context, {name, variables}, `Removed ${name}${also}.\n`);
	return 0;
}

type Edit = {
	readonly session: Session;
	readonly change: ProfileChange;
	readonly before: unknown;
	/** The variable that the start would see. */
	readonly variable: (name: string) => string | undefined;
};

async function openEdit(session: Session): Promise<Edit> {
	const change = await createProfileChange(session.paths, session.clock);
	const {variable} = await readVersionCheck(session);
	return {session, change, before: change.config.value(), variable};
}

/** Writes both files and has a running gateway admit, or dismiss, the client. Rejects with `commands_denied` under `approvals.cli: deny`. */
async function commit(context: CommandContext, {change, before, variable}: Edit): Promise<void> {
	const changed = change.changedVariables();
	const after = (name: string) => (changed.includes(name) ? change.variable(name) : variable(name));
	assertCommandMayChange({value: before, variable}, {value: change.config.value(), variable: after});
	await change.commit();
	await reloadGateway(context);
}

/** The name of a client. Throws `bad_usage` with the one that was probably meant. */
function findClient({before}: Edit, typed: string): string {
	const clients = valueAt(before, [...section]);
	const names = [...new Set([defaultClient, ...Object.keys(isJsonObject(clients) ? clients : {})])];
	if (names.includes(typed)) {
		return typed;
	}

	const meant = didYouMean(typed, names);
	throw new Problem('bad_usage', {
		message: `The endpoint has no client ${quoted(typed, {maximumCharacters: 100})}${meant ? `; did you mean "${meant}"?` : ''}`,
		remedy: '`sluice clients list` shows all of them',
	});
}

/** The variable of `.env` that a token refers to. Throws `bad_usage` when it is written in another way. */
function tokenVariable({before}: Edit, name: string): string {
	const own = valueAt(before, [...section, name, 'token']);
	const written =
		own ??
		(name === defaultClient
			? (valueAt(before, ['gateway', 'endpoint', 'token']) ?? `\${${endpointTokenName}}`)
			: undefined);
	const [, variable] = /^\$\{([A-Za-z_]\w*)\}$/u.exec(typeof written === 'string' ? written : '') ?? [];
	if (variable === undefined) {
		throw new Problem('bad_usage', {
			message: `The token of ${name} is not a reference to one variable, so a new one cannot be stored in .env`,
			remedy: `Change \`gateway.endpoint.clients.${name}.token\` to a reference such as \${NAME}`,
		});
	}

	return variable;
}

function freeVariable(change: ProfileChange, name: string, number = 1): string {
	const candidate = number === 1 ? name : `${name}_${number}`;
	return change.variable(candidate) === undefined ? candidate : freeVariable(change, name, number + 1);
}

function newToken(): string {
	return randomBytes(32).toString('base64url');
}

async function isConfirmed(context: CommandContext, name: string): Promise<boolean> {
	const answer = context.flags.yes ? 'yes' : await context.confirm(`Remove ${name}, and end its sessions?`);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {message: 'Without a terminal a removal needs --yes'});
	}

	return answer === 'yes';
}

function printChange(context: CommandContext, document: ChangedClientJson, text: string): void {
	printResult(context, document, text);
}
