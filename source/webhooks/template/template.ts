import {type Destination} from '../../util/destinations.ts';
import {isJsonObject, isList, jsonHead, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {memoize} from '../../util/memoize.ts';
import {templateVariable} from '../../util/templates/template-variables.ts';
import {exactDigits} from '../payload/exact-json.ts';
import {readSteps} from '../payload/field-path.ts';

/** The values that a template can use. */
export type TemplateScope = {
	readonly payload: JsonValue;
	readonly event: string;
	readonly deliveryId: string;
	readonly route: string;
};

const maxPayloadCharacters = 4000;
const nestedValueCharacters = 2000;

/** A rendered text, and the ranges in it that come from the payload: start and end in UTF-16 units, in order. */
type Rendered = {readonly text: string; readonly foreign: ReadonlyArray<readonly [start: number, end: number]>};

/** The rendered prompt; without a template the whole payload as indented JSON (docs/webhook-routes.md, Templates). */
export function renderPrompt(template: string | undefined, scope: TemplateScope): string {
	return renderMarked(template, scope).text;
}

/** The same with the payload's ranges: agents get them fenced (docs/webhook-routes.md, Templates). */
export function renderMarked(template: string | undefined, scope: TemplateScope): Rendered {
	if (template !== undefined) {
		return render(template, scope);
	}

	const text = fullPayload(scope.payload);
	return {text, foreign: [[0, text.length]]};
}

/** Replaces each `{a.b.c}` once, from left to right; inserted values are not rendered again. */
export function renderTemplate(template: string, scope: TemplateScope): string {
	return render(template, scope).text;
}

function render(template: string, scope: TemplateScope): Rendered {
	const {pieces, end} = cut(template);
	const foreign: Array<readonly [start: number, end: number]> = [];
	let text = '';
	for (const {before, literal, variable} of pieces) {
		const value = valueOf(variable, scope);
		text += before;
		if (value !== undefined) {
			foreign.push([text.length, text.length + value.length]);
		}

		text += value ?? literal;
	}

	return {text: text + end, foreign};
}

/** The rendered template, or undefined when a variable in it is missing or null. */
export function renderComplete(template: string, scope: TemplateScope): string | undefined {
	const {pieces, end} = cut(template);
	let text = '';
	for (const {before, variable} of pieces) {
		const value = readSteps(scope.payload, variable.steps) === null ? undefined : valueOf(variable, scope);
		if (value === undefined) {
			return undefined;
		}

		text += before + value;
	}

	return text + end;
}

/** Renders the strings of a JSON value at any depth; other types and all member names stay unchanged (docs/webhook-routes.md, Templates). */
function renderExtra(extra: JsonObject, scope: TemplateScope): JsonObject {
	return Object.fromEntries(Object.entries(extra).map(([name, value]) => [name, renderValue(value, scope)]));
}

/** The destinations of a route, whose keys are templates. */
export function renderDestinations(destinations: readonly Destination[], scope: TemplateScope): readonly Destination[] {
	return destinations.map(({target, extra}) => ({target, extra: renderExtra(extra, scope)}));
}

/** The distinct variables in the templates of a route. */
export function templateVariables(route: {
	readonly prompt?: string;
	readonly deliver: readonly Destination[];
}): readonly string[] {
	const texts = `${route.prompt ?? ''} ${JSON.stringify(route.deliver.map(({extra}) => extra))}`;
	return [...new Set([...texts.matchAll(templateVariable)].map(found => found[1] ?? ''))];
}

/** True when the variable has a value. */
export function namesValue(path: string, scope: TemplateScope): boolean {
	return valueOf(variableOf(path), scope) !== undefined;
}

function renderValue(value: JsonValue, scope: TemplateScope): JsonValue {
	if (typeof value === 'string') {
		return renderTemplate(value, scope);
	}

	if (isList(value)) {
		return value.map(item => renderValue(item, scope));
	}

	return isJsonObject(value) && exactDigits(value) === undefined ? renderExtra(value, scope) : value;
}

/** A variable with its path split. */
type Variable = {
	readonly path: string;
	readonly steps: readonly string[];
	readonly kind: 'payload' | 'member' | 'never';
};

/** A parsed template: each variable as written with the text before it, and the text after the last. */
type Template = {
	readonly pieces: ReadonlyArray<{readonly before: string; readonly literal: string; readonly variable: Variable}>;
	readonly end: string;
};

/** The templates of routes, which are few. */
const cut = memoize((template): Template => {
	let end = 0;
	const pieces = [...template.matchAll(templateVariable)].map(match => {
		const before = template.slice(end, match.index);
		end = match.index + match[0].length;
		return {before, literal: match[0], variable: variableOf(match[1] ?? '')};
	});
	return {pieces, end: template.slice(end)};
});

function variableOf(path: string): Variable {
	const steps = path.split('.');
	if (path === '__raw__') {
		return {path, steps, kind: 'payload'};
	}

	// Names from JavaScript's object machinery stay literal even when a payload has members of that name.
	const isMachinery = steps.some(step => step === '__proto__' || step === 'constructor');
	return {path, steps, kind: isMachinery ? 'never' : 'member'};
}

/** The text of a variable, or undefined when it stays literal. */
function valueOf({kind, path, steps}: Variable, scope: TemplateScope): string | undefined {
	switch (kind) {
		case 'payload':
			return fullPayload(scope.payload);
		case 'never':
			return undefined;
		case 'member': {
			const value = readSteps(scope.payload, steps);
			return value === undefined ? ownVariable(path, scope) : valueText(value);
		}
	}
}

/** Variables defined when the payload has no member of that name. */
function ownVariable(name: string, scope: TemplateScope): string | undefined {
	switch (name) {
		case 'event_type':
			return scope.event;
		case 'delivery_id':
			return scope.deliveryId;
		case 'route':
			return scope.route;
		default:
			return undefined;
	}
}

function valueText(value: JsonValue): string {
	if (typeof value === 'string') {
		return value;
	}

	const isNested = typeof value === 'object' && value !== null && exactDigits(value) === undefined;
	return isNested ? jsonHead(value, nestedValueCharacters) : JSON.stringify(value);
}

function fullPayload(payload: JsonValue): string {
	return jsonHead(payload, maxPayloadCharacters, 2);
}
