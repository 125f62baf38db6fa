import {assertCommandMayChange} from '../../config/edit/guarded-settings.ts';
import {literalSecretsOf, maskUnknownTokens} from '../../config/edit/secret-keys.ts';
import {valueOfText} from '../../config/edit/written-value.ts';
import {assertUnchanged} from '../../config/read/editable-file.ts';
import {withConfigLock} from '../../config/values/file-lock.ts';
import {readTextFile, writePrivateFile} from '../../config/values/text-file.ts';
import {type Problem} from '../../util/problem.ts';
import {createRedactor} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {reloadGateway} from '../cli/connect-gateway.ts';
import {runCommand} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';
import {differenceText, textDifference} from '../setup/text-difference.ts';
import {
	type ConfigVersion,
	readVersionCheck,
	printProblems,
	reportStartSettings,
	type VersionCheck,
} from './config-change.ts';
import {createPrivateCopy, editorWords, type PrivateCopy, runEditor} from './editor.ts';

/** `sluice config edit`: opens a private copy of config.yaml in an editor, checks it, shows the difference and writes it, unless the file changed meanwhile. */
export async function runConfigEdit(context: CommandContext, session: Session): Promise<ExitCode> {
	noWords(context, 'sluice config edit');
	const {paths, environment} = session;
	const editor = editorWords(environment.variables);
	const check = await readVersionCheck(session);
	const before = versionOf((await readTextFile(paths.config)) ?? '', check);
	const copy = await createPrivateCopy(before.text);
	let text: 'kept' | 'removed' = 'removed';
	const code = await runCommand(context, async () => {
		const after = await editUntilValid(context, {session, editor, copy, check, before});
		if (after === undefined) {
			context.stderr('Nothing was changed.\n');
			return (await copy.read()) === before.text ? 0 : 1;
		}

		// A valid text is worth keeping where it cannot be written.
		text = 'kept';
		assertCommandMayChange(before, after);
		await write(session, before, after);
		text = 'removed';
		report(context, {session, check, before, after});
		await reloadGateway(context);
		return 0;
	});
	await (text === 'removed' ? copy.remove() : context.stderr(`Your text is in ${copy.path}.\n`));
	return code;
}

function versionOf(text: string, {variable}: VersionCheck): ConfigVersion {
	return {text, value: valueOfText(text), variable};
}

type Editing = {
	readonly session: Session;
	readonly editor: readonly [string, ...string[]];
	readonly copy: PrivateCopy;
	readonly check: VersionCheck;
	readonly before: ConfigVersion;
};

/** Edits until the text has no new error; undefined when it is unchanged, or the person leaves. Without a terminal the first error ends it. */
async function editUntilValid(
	context: CommandContext,
	{session, editor, copy, check, before}: Editing,
): Promise<ConfigVersion | undefined> {
	for (;;) {
		await runEditor(editor, copy.path);
		context.signal.throwIfAborted();
		const after = versionOf(await copy.read(), check);
		if (after.text === before.text) {
			return undefined;
		}

		const errors = check.problems(before, after).filter(isError);
		if (errors.length === 0) {
			return after;
		}

		printProblems(context, errors, session.paths.directory);
		if ((await context.confirm('Edit it again? No leaves config.yaml as it was.')) !== 'yes') {
			return undefined;
		}
	}
}

function isError({level}: Problem): boolean {
	return level === 'error';
}

function write({paths, clock}: Session, before: ConfigVersion, after: ConfigVersion): Promise<void> {
	return withConfigLock(paths, clock, async () => {
		await assertUnchanged(paths.config, before.text);
		await writePrivateFile(paths.config, after.text);
	});
}

const longestDifference = 20_000;

/** Prints the difference, secrets masked, and the warnings about what is new. */
function report(
	context: CommandContext,
	{session, check, before, after}: Pick<Editing, 'session' | 'check' | 'before'> & {readonly after: ConfigVersion},
): void {
	const redactor = createRedactor();
	[before, after].flatMap(({value}) => literalSecretsOf(value)).forEach(redactor.learn);
	const difference = maskUnknownTokens(redactor.redact(differenceText(textDifference(before.text, after.text))));
	context.stdout(safeText(difference, {multiline: true, maximumCharacters: longestDifference}));
	printProblems(context, check.problems(before, after), session.paths.directory);
	reportStartSettings(context, before.value, after.value);
}
