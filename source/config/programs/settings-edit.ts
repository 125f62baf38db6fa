import {isDeepStrictEqual} from 'node:util';
import {type JsonValue} from '../../util/json-text.ts';

/** The keys that lead to a value of a settings file. */
export type SettingPath = readonly [string, ...string[]];

/** One change of a settings file: of a value by its key, or of an item in a list. */
export type SettingsEdit =
	| {readonly kind: 'set'; readonly path: SettingPath; readonly value: JsonValue}
	| {readonly kind: 'remove'; readonly path: SettingPath}
	| {readonly kind: 'add item'; readonly path: SettingPath; readonly item: JsonValue}
	| {readonly kind: 'remove item'; readonly path: SettingPath; readonly item: JsonValue};

/** True for values that are the same JSON. Parsers make objects of different prototypes. */
export function isSameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
	return isDeepStrictEqual(plain(one), plain(other));
}

function plain(value: JsonValue | undefined): unknown {
	return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
