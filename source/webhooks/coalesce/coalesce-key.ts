import {createHash} from 'node:crypto';
import {memoize} from '../../util/memoize.ts';
import {compileField, type Subject} from '../payload/field-path.ts';
import {renderWhole, type TemplateScope} from '../template/template.ts';

const longestKeyCharacters = 256;
const fieldReader = memoize(compileField);

/**
The entity an event is about, or undefined when the key does not resolve: a value is missing, null or blank.
A key with braces is a template, any other a field as filters name it (docs/webhooks.md, Routes and profiles).
*/
export function coalesceKey(key: string, scope: TemplateScope, headers: Subject['headers']): string | undefined {
	const text = key.includes('{') ? renderWhole(key, scope) : fieldText(key, {...scope, headers});
	if (text === undefined || text.trim() === '') {
		return undefined;
	}

	// By its hash, so that two long keys with the same beginning stay two.
	return text.length > longestKeyCharacters ? `sha256:${createHash('sha256').update(text).digest('hex')}` : text;
}

function fieldText(field: string, subject: Subject): string | undefined {
	const value = fieldReader(field)(subject);
	return value === undefined || value === null || typeof value === 'string'
		? (value ?? undefined)
		: JSON.stringify(value);
}
