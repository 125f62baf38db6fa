import {plainValue} from './shown-json.ts';
import {type JsonValue} from './json-text.ts';

/** Everything a terminal could obey, or hide from the eye, although JSON allows it unescaped. */
const hostileInJson = /[\u007F-\u009F\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** JSON text of the same value, in which nothing moves a cursor. */
export function printableJson(text: string): string {
	return text.replaceAll(hostileInJson, character =>
		character
			.split('')
			.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.join(''),
	);
}

/** A value for a program: the signs in masked arguments are in readable form. */
export function readable(value: unknown): unknown {
	return JSON.stringify(value)?.includes('\\ud800') ? plainValue(value as JsonValue) : value;
}
