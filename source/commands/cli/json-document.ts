/** What a terminal could obey, or hide from the eye, although JSON lets it stand as it is. */
const hostileInJson = /[\u007F-\u009F\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** One JSON document, indented, with a line break at its end. The same values for programs, and nothing in it moves a cursor. */
export function jsonDocument(value: unknown): string {
	return `${JSON.stringify(value, null, 2).replaceAll(hostileInJson, escape)}\n`;
}

function escape(character: string): string {
	return character
		.split('')
		.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');
}
