import {type z} from 'zod';
import {isSecretSetting} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';
import {unknownWord} from './did-you-mean.ts';
import {type FieldRule} from './field-rule.ts';

/** The sentences for a value that its schema refuses. A word is shown, unless it may be a secret in the wrong place. */
export function mismatchText(found: unknown, issue: z.core.$ZodIssue, rule?: FieldRule): string {
	const words = rule?.words ?? (issue.code === 'invalid_value' ? issue.values.filter(isText) : []);
	const expected = issue.code === 'invalid_type' ? kindsOfJson[issue.expected] : undefined;
	const allowed = rule?.allowed ?? (words.length > 0 ? words.join(', ') : expected);
	const key = String(issue.path.at(-1) ?? '');
	return isText(found) && words.length > 0 && !isSecretSetting(key)
		? unknownWord(found, {noun: rule ? (rule.noun ?? 'value') : key, words, ...(allowed !== undefined && {allowed})})
		: notAllowed(kindOf(found), allowed);
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

/** The sentences for a value of the wrong kind: `A list is not allowed here. Allowed: text`. */
export function notAllowed(found: string, allowed?: string): string {
	const fault =
		found === noKind
			? 'A value is missing here'
			: `${found.replace(/^[a-z]/u, letter => letter.toUpperCase())} is not allowed here`;
	return allowed === undefined ? fault : `${fault}. Allowed: ${allowed}`;
}

/** The sentences for a value that is left out or replaced. They show only values that cannot be secrets: numbers, switches and choices. */
export function refusalText(found: unknown, rule: FieldRule): string {
	const {allowed, words = [], noun = 'value'} = rule;
	if (isText(found) && words.length > 0) {
		return unknownWord(found, {noun, words});
	}

	const shown = isText(found)
		? `"${safeText(found, {maximumCharacters: 40})}"`
		: typeof found === 'number'
			? String(found)
			: typeof found === 'boolean'
				? `\`${found}\``
				: kindOf(found);
	return notAllowed(shown, allowed);
}

const noKind = 'nothing';

/** The types of JSON that schemas name, in the words of `kindOf`. */
export const kindsOfJson: Readonly<Record<string, string>> = {
	string: 'text',
	number: 'a number',
	int: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	object: 'a mapping',
	record: 'a mapping',
};

/** The type of a value, in words, without the value. */
export function kindOf(value: unknown): string {
	if (value === null || value === undefined) {
		return noKind;
	}

	if (Array.isArray(value)) {
		return 'a list';
	}

	return kindsOfJson[typeof value] ?? 'a mapping';
}
