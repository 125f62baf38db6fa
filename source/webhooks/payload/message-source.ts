import {type MessageSource} from '../../config/webhooks/presets/preset.ts';
import {isJsonObject, isList, type JsonValue} from '../../util/json-text.ts';
import {type RequestHeaders} from '../http/incoming-request.ts';
import {exactDigits} from './exact-json.ts';
import {readPath, readSteps} from './field-path.ts';

/** The text at a source of a message; undefined when it is missing, empty, or neither text nor number. */
export function readSource(source: MessageSource, headers: RequestHeaders, payload: JsonValue): string | undefined {
	switch (source.from) {
		case 'header':
			return headers.get(source.name)?.trim() || undefined;
		case 'field':
			return textOf(readPath(payload, source.name));
		case 'fields':
			return joined(source.names.map(name => valuesAt(payload, name.split('.'))).flat());
		case 'first-field':
			return source.names.map(name => textOf(readPath(payload, name))).find(text => text !== undefined);
		case 'member-name':
			return isJsonObject(payload) ? Object.keys(payload).find(name => name !== source.besides) : undefined;
		case 'none':
			return undefined;
	}
}

/** The values at a path in which `*` is every item of a list. */
function valuesAt(value: JsonValue | undefined, steps: readonly string[]): readonly string[] {
	const star = steps.indexOf('*');
	const found = value === undefined ? undefined : readSteps(value, star === -1 ? steps : steps.slice(0, star));
	if (star === -1) {
		return [textOf(found) ?? ''];
	}

	const rest = steps.slice(star + 1);
	return found !== undefined && isList(found) ? found.flatMap(item => valuesAt(item, rest)) : [];
}

/** Undefined without any value. */
function joined(values: readonly string[]): string | undefined {
	return values.some(value => value !== '') ? values.join(' ') : undefined;
}

function textOf(value: JsonValue | undefined): string | undefined {
	if (typeof value === 'string') {
		return value.trim() || undefined;
	}

	if (typeof value === 'number') {
		return String(value);
	}

	return value === undefined ? undefined : exactDigits(value);
}
