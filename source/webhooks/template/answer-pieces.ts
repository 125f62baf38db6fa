import {type RespondConfig} from '../../config/webhooks/respond-entry.ts';
import {type AnswerBody, type AnswerType, escapeText} from '../../util/templates/answer-body.ts';
import {templateVariable} from '../../util/templates/template-variables.ts';
import {readPath} from '../payload/field-path.ts';
import {namesValue, renderTemplate, type TemplateScope} from './template.ts';

/** The variable of the result, which beats a payload key of that name. */
const resultName = 'result';

/** The body of an answer with everything in it but the result: the run may end long after its payload is gone (docs/answers.md). */
export function answerPieces({body, contentType}: RespondConfig, scope: TemplateScope): AnswerBody {
	const isJson = contentType === 'application/json';
	const template = body ?? (isJson ? `"{${resultName}}"` : `{${resultName}}`);
	const pieces: string[] = [];
	let piece = '';
	let end = 0;
	let place: 'text' | 'value' = isJson ? 'value' : 'text';
	for (const {0: literal, 1: path = '', index} of template.matchAll(templateVariable)) {
		const before = template.slice(end, index);
		end = index + literal.length;
		place = isJson ? placeAfter(before, place) : place;
		piece += before;
		if (path === resultName) {
			pieces.push(place === 'value' ? `${piece}"` : piece);
			piece = place === 'value' ? '"' : '';
		} else {
			piece += place === 'value' ? jsonValue(path, scope) : textOf(path, scope, contentType);
		}
	}

	return {contentType, pieces: [...pieces, piece + template.slice(end)]};
}

/** The place in JSON after a part of it: a text goes on until the next quotation mark that no backslash precedes. */
function placeAfter(json: string, before: 'text' | 'value'): 'text' | 'value' {
	const marks = json.replaceAll(/\\./gsu, '').split('"').length - 1;
	return (marks % 2 === 0) === (before === 'text') ? 'text' : 'value';
}

/** A variable as a text of the content type; one without a value stays as it is written. */
function textOf(path: string, scope: TemplateScope, contentType: AnswerType): string {
	return escapeText(renderTemplate(`{${path}}`, scope), contentType);
}

/** A variable as a whole JSON value. */
function jsonValue(path: string, scope: TemplateScope): string {
	const value = namesValue(path, scope) ? readPath(scope.payload, path) : undefined;
	return JSON.stringify(value === undefined ? renderTemplate(`{${path}}`, scope) : value);
}
