import {tomlText} from '../../config/import/toml.ts';
import {type ProgramFile} from '../../config/programs/program-file.ts';
import {type SettingsFormat} from '../../config/programs/programs.ts';
import {keyPathText} from '../../config/values/problem-list.ts';
import {indentJson, isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {isSecretSetting, maskTokens} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';
import {differenceText, textDifference} from '../setup/text-difference.ts';

/** A value before and after a change; undefined: it is not there. */
export type ShownChange = {
	readonly path: readonly string[];
	readonly before: JsonValue | undefined;
	readonly after: JsonValue | undefined;
};

const secretGroups: ReadonlySet<string> = new Set(['env', 'environment', 'headers', 'http_headers']);

/** Changes of a file as added and removed lines. Only values that Sluice writes are in them, and secrets of a former entry are masked. */
export function changeText(
	{path, text}: Pick<ProgramFile, 'path' | 'text'>,
	format: SettingsFormat | 'text',
	changes: readonly ShownChange[],
): string {
	const state = text === undefined ? ' (a new file)' : '';
	const lines = changes.map(({path: keys, before, after}) => {
		const [old, fresh] = [valueText(keys, before, format), valueText(keys, after, format)];
		return differenceText(textDifference(old, fresh));
	});
	return `\n${safeText(path)}${state}\n${safeText(lines.join(''), {multiline: true, maximumCharacters: 20_000})}`;
}

function valueText(path: readonly string[], value: JsonValue | undefined, format: SettingsFormat | 'text'): string {
	if (value === undefined) {
		return '';
	}

	if (format === 'text') {
		return typeof value === 'string' ? value : '';
	}

	const masked = maskedValue(value);
	if (format === 'toml') {
		const tables = path.reduceRight<JsonValue>((inner, key) => ({[key]: inner}), masked);
		return isJsonObject(tables) ? tomlText(tables) : '';
	}

	return `${keyPathText(path)}: ${indentJson(masked)}\n`;
}

function maskedValue(value: JsonValue): JsonValue {
	if (typeof value === 'string') {
		return maskTokens(value);
	}

	return Array.isArray(value) ? value.map(maskedValue) : isJsonObject(value) ? maskedMembers(value) : value;
}

function maskedMembers(entry: JsonObject): JsonObject {
	return Object.fromEntries(
		Object.entries(entry).map(([key, value]) => {
			if (secretGroups.has(key) && isJsonObject(value)) {
				return [key, Object.fromEntries(Object.keys(value).map(name => [name, '…']))];
			}

			return [key, isSecretSetting(key) && typeof value === 'string' ? '…' : maskedValue(value)];
		}),
	);
}
