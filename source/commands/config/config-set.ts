import {isDeepStrictEqual} from 'node:util';
import {refusalOf} from '../../config/edit/changed-problems.ts';
import {assertCommandMayChange} from '../../config/edit/guarded-settings.ts';
import {parseKeyPath, pathIn} from '../../config/edit/key-path.ts';
import {createProfileChange, type ProfileChange} from '../../config/edit/profile-change.ts';
import {isSecretPath, literalSecretIn} from '../../config/edit/secret-keys.ts';
import {parseValue, storedSecret} from '../../config/edit/written-value.ts';
import {valueAt} from '../../config/values/plain-value.ts';
import {type KeyPath, keyPathText} from '../../config/values/problem-list.ts';
import {Problem, problemLine} from '../../util/problem.ts';
import {shellWord} from '../../util/named-commands.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {reloadGateway} from '../cli/connect-gateway.ts';
import {jsonDocument} from '../cli/listing.ts';
import {readStdin} from '../cli/read-input.ts';
import {type Session} from '../cli/session.ts';
import {onlyWord} from '../cli/words.ts';
import {readVersionCheck, printProblems, startSettingsText, type VersionCheck} from './config-change.ts';
import {notSet} from './config-get.ts';

/** Reads the value for `-`: from a pipe or a file to its end, at a terminal a line that is not shown. */
export type ReadInput = (context: CommandContext, key: string) => Promise<string>;

/** Reads stdin, at most 1 MB. Rejects with `bad_usage` for more. */
export const readSecretInput: ReadInput = async (context, key) => {
	const dialog = context.openDialog();
	if (dialog) {
		try {
			return await dialog.askSecret(`Value of ${key} (not shown)`);
		} finally {
			dialog.close();
		}
	}

	return (await readStdin(context.signal)).replace(/\r?\n$/u, '');
};

/** A change that is ready to be checked. */
type Edit = {readonly change: ProfileChange; readonly before: unknown; readonly path: KeyPath};

/** `sluice config set KEY.PATH VALUE|-`: sets a value once it is sure that a start would take it. */
export async function runConfigSet(context: CommandContext, session: Session, readInput: ReadInput): Promise<ExitCode> {
	const [typed, written, ...others] = context.arguments;
	if (typed === undefined || written === undefined || others.length > 0) {
		throw new Problem('bad_usage', {message: 'Usage: sluice config set KEY.PATH VALUE|- [--json]'});
	}

	const keys = parseKeyPath(typed);
	const input = written === '-' ? await readInput(context, typed) : undefined;
	const check = await readVersionCheck(session);
	const edit = await openEdit(session, keys);
	const value = valueToSet(edit, {written, input, variable: check.variable});
	edit.change.config.set(edit.path, value);
	return finish(context, {edit, check, session, isRemoval: false});
}

/** `sluice config unset KEY.PATH`: removes a key, unless a start would refuse the rest. */
export async function runConfigUnset(context: CommandContext, session: Session): Promise<ExitCode> {
	const keys = parseKeyPath(onlyWord(context, 'sluice config unset KEY.PATH [--json]'));
	const check = await readVersionCheck(session);
	const edit = await openEdit(session, keys);
	if (!edit.change.config.has(edit.path)) {
		throw notSet(edit.path, edit.before);
	}

	edit.change.config.remove(edit.path);
	return finish(context, {edit, check, session, isRemoval: true});
}

async function openEdit({paths, clock}: Session, keys: readonly string[]): Promise<Edit> {
	const change = await createProfileChange(paths, clock);
	const before = change.config.value();
	return {change, before, path: pathIn(before, keys)};
}

/** The value to write; a secret of stdin goes to `.env`. Throws `bad_usage` for a secret that was typed. */
function valueToSet(
	{change, before, path}: Edit,
	options: {
		readonly written: string;
		readonly input: string | undefined;
		readonly variable: (name: string) => string | undefined;
	},
): unknown {
	const {written, input, variable} = options;
	if (input !== undefined && isSecretPath(path)) {
		return storeSecret(input, {change, path, present: valueAt(before, path), variable});
	}

	const value = input === undefined ? parseValue(written, 'one line') : parseValue(input, 'any');
	const literal = literalSecretIn(value, path, before);
	if (literal) {
		const key = keyPathText(literal);
		throw new Problem('bad_usage', {
			message: `\`${key}\` is a secret, and config.yaml holds only references to secrets`,
			remedy: `Pipe it into \`sluice config set ${shellWord(key)} -\`, which stores it in .env, or set the key to the name of a variable there, as \${NAME}`,
		});
	}

	return value;
}

function storeSecret(
	secret: string,
	{change, ...place}: Pick<Edit, 'change' | 'path'> & Omit<Parameters<typeof storedSecret>[1], 'path'>,
): string {
	if (secret.trim() === '' || secret.includes('${')) {
		throw new Problem('bad_usage', {message: 'The secret on stdin is empty, or is a reference'});
	}

	const {name, value, reference} = storedSecret(secret, place);
	change.setVariables({[name]: value});
	return reference;
}

/** Checks the change, writes it, reports it and has a running gateway apply it. */
async function finish(
	context: CommandContext,
	{
		edit: {change, before, path},
		check,
		session,
		isRemoval,
	}: {readonly edit: Edit; readonly check: VersionCheck; readonly session: Session; readonly isRemoval: boolean},
): Promise<ExitCode> {
	const texts = change.texts();
	const after = change.config.value();
	const variables = change.changedVariables();
	const variable = (name: string) => (variables.includes(name) ? change.variable(name) : check.variable(name));
	assertCommandMayChange({value: before, variable: check.variable}, {value: after, variable});
	const problems = check.problems(
		{text: texts.before, value: before, variable: check.variable},
		{text: texts.after, value: after, variable},
	);
	const refusal = isRemoval ? problems.find(({level}) => level === 'error') : refusalOf(problems, path);
	if (refusal) {
		throw unwritten(refusal, session.paths.directory);
	}

	await change.commit();
	printProblems(context, problems, session.paths.directory);
	const key = keyPathText(path);
	const isChanged = variables.length > 0 || !isDeepStrictEqual(before, after);
	context.stdout(
		context.flags.json
			? jsonDocument({key, changed: isChanged, variables: [...variables]})
			: reportText(key, {isChanged, isRemoval, variables}),
	);
	if (isChanged) {
		const later = startSettingsText(before, after);
		context.stderr(later === undefined ? '' : `${later}\n`);
		await reloadGateway(context);
	}

	return 0;
}

/** The problem of a value that was not written: there is no file to correct, unless the problem has a remedy of its own. */
function unwritten(problem: Problem, directory: string): Problem {
	const {code, remedy, message, refusal = message, place} = problem;
	return remedy === new Problem(code).remedy
		? new Problem(code, {
				message: problemLine(new Problem(code, {message: refusal, ...(place && {place})}), directory),
				remedy: 'Nothing was written; correct the key or the value, and repeat the command',
			})
		: problem;
}

function reportText(
	key: string,
	{
		isChanged,
		isRemoval,
		variables,
	}: {readonly isChanged: boolean; readonly isRemoval: boolean; readonly variables: readonly string[]},
): string {
	if (!isChanged) {
		return `${key} already has this value.\n`;
	}

	// Names of variables are made of letters, digits and underscores.
	const stored = variables.length === 0 ? '' : ` The secret is in .env as ${variables.join(', ')}.`;
	return `${isRemoval ? 'Removed' : 'Set'} ${key}.${stored}\n`;
}
