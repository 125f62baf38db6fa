import {assertCommandMayChange} from '../../config/edit/guarded-settings.ts';
import {literalSecretsOf} from '../../config/edit/secret-keys.ts';
import {valueOfText} from '../../config/edit/written-value.ts';
import {assertUnchanged} from '../../config/read/editable-file.ts';
import {parseConfigText} from '../../config/read/file.ts';
import {type KeyPath} from '../../config/values/problem-list.ts';
import {withConfigLock} from '../../config/values/file-lock.ts';
import {readTextFile, writePrivateFile} from '../../config/values/text-file.ts';
import {createRedactor} from '../../util/redact.ts';
import {type Session} from '../cli/session.ts';
import {type ConfigVersion, readVersionCheck, startSettingsText} from './config-change.ts';
import {openTextEdit, problemTexts, type TextEdit} from './text-edit.ts';

/** The text that an editor opens, and its line. */
type ConfigTextOptions = Pick<Session, 'paths' | 'environment' | 'clock'> & {
	/** The value at whose key the editor opens; throws a Problem where it is not there. Default: the first line. */
	readonly entry?: (value: unknown) => KeyPath;
	/** Ends the editor. */
	readonly signal?: AbortSignal;
};

/** Copies config.yaml of a profile for an editor; a missing file is empty. To write it may reject with `commands_denied` or `config_unreadable`, too. */
export async function copyConfigText(options: ConfigTextOptions): Promise<TextEdit> {
	const {paths, clock, signal} = options;
	const check = await readVersionCheck(options);
	const version = (text: string): ConfigVersion => ({text, value: valueOfText(text), variable: check.variable});
	const before = version((await readTextFile(paths.config)) ?? '');
	return openTextEdit({
		session: options,
		name: 'config.yaml',
		text: before.text,
		line: entryLine(before, options),
		directory: paths.directory,
		signal,
		check(text) {
			const after = version(text);
			const problems = check.problems(before, after);
			const later = startSettingsText(before.value, after.value);
			return {
				errors: problems.filter(({level}) => level === 'error'),
				notes: [...problemTexts(problems, paths.directory), ...(later === undefined ? [] : [later])],
			};
		},
		mask(difference, text) {
			const redactor = createRedactor();
			[before, version(text)].flatMap(({value}) => literalSecretsOf(value)).forEach(redactor.learn);
			return redactor.redact(difference);
		},
		async write(text) {
			assertCommandMayChange(before, version(text));
			await withConfigLock(paths, clock, async () => {
				await assertUnchanged(paths.config, before.text);
				await writePrivateFile(paths.config, text);
			});
		},
	});
}

/** The line of the entry; of a file that cannot be read, that of its first error. */
function entryLine({text, value}: ConfigVersion, {paths, entry}: ConfigTextOptions): number | undefined {
	const parsed = parseConfigText(paths.config, text);
	if (parsed.kind === 'unusable') {
		return parsed.problems[0]?.place?.line;
	}

	return entry && parsed.kind === 'read' ? parsed.locate(entry(value), 'key')?.line : undefined;
}
