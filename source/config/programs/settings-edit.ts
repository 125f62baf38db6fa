import {type JsonValue} from '../../util/json-text.ts';
import {type SettingPath} from './programs.ts';

/** One change of a settings file: of a value by its key, or of a text in a list. */
export type SettingsEdit =
	| {readonly kind: 'set'; readonly path: SettingPath; readonly value: JsonValue}
	| {readonly kind: 'remove'; readonly path: SettingPath}
	| {readonly kind: 'add item'; readonly path: SettingPath; readonly item: string}
	| {readonly kind: 'remove item'; readonly path: SettingPath; readonly item: string};
