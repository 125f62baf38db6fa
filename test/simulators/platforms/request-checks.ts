import {z} from 'zod';
import {type Note, type PlatformAnswer, type PlatformRequest, Refusal} from './platform-server.ts';

/** Words a refusal in the platform's own shape. */
export type Refuse = (problem: string) => PlatformAnswer;

/** Refuses another method than the documented one. */
export function requireMethod(request: PlatformRequest, method: string, answer: PlatformAnswer): void {
	if (request.method !== method) {
		throw new Refusal(`${request.method} ${request.path}: the method is ${method}`, answer);
	}
}

/** Refuses another path than `path`. */
export function requirePath(request: PlatformRequest, path: string, answer: PlatformAnswer): void {
	if (request.path !== path) {
		throw new Refusal(`${request.method} ${request.path}: no such path`, answer);
	}
}

/** Refuses unless `holds`. */
export function insist(holds: boolean, fault: string, answer: PlatformAnswer): asserts holds {
	if (!holds) {
		throw new Refusal(fault, answer);
	}
}

/** Notes query parameters the platform does not document for this call. */
export function noteOtherQuery(request: PlatformRequest, known: readonly string[], note: Note): void {
	for (const name of request.query.keys()) {
		if (!known.includes(name)) {
			note(`the query parameter ${name} is not documented`);
		}
	}
}

/** Reads a JSON body: content type first, then the syntax. */
export function jsonBody(request: PlatformRequest, refuse: Refuse): unknown {
	const type = request.headers['content-type'] ?? '';
	if (!/^application\/json\s*(;|$)/i.test(type)) {
		const problem = `the content type is "${type}", not application/json`;
		throw new Refusal(problem, refuse(problem));
	}

	return parsedJson(request.body, refuse);
}

/** Parses JSON, or refuses. */
export function parsedJson(text: string, refuse: Refuse): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new Refusal('the body is not JSON', refuse('the body is not JSON'));
	}
}

/** Reads an `application/x-www-form-urlencoded` body into an object; a repeated key is a list. */
export function formBody(request: PlatformRequest, refuse: Refuse): Record<string, string | string[]> {
	const type = request.headers['content-type'] ?? '';
	if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
		const problem = `the content type is "${type}", not application/x-www-form-urlencoded`;
		throw new Refusal(problem, refuse(problem));
	}

	const form = new URLSearchParams(request.body);
	return Object.fromEntries(
		[...new Set(form.keys())].map(key => {
			const values = form.getAll(key);
			return [key, values.length === 1 ? (values[0] ?? '') : values];
		}),
	);
}

/**
Checks a body against the documented keys and types. Write the schema with `z.strictObject`: an undocumented key is
noted and taken out, as platforms ignore it; give no `note` where the platform refuses it.
*/
export function checked<Schema extends z.ZodType>(
	value: unknown,
	schema: Schema,
	words: {readonly refuse: Refuse; readonly note?: Note},
): z.output<Schema> {
	const first = schema.safeParse(value);
	if (first.success) {
		return first.data;
	}

	const unknownKeys = first.error.issues.filter(issue => issue.code === 'unrecognized_keys');
	if (!words.note || unknownKeys.length < first.error.issues.length) {
		const problem = first.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ');
		throw new Refusal(problem, words.refuse(problem));
	}

	const rest = structuredClone(value);
	for (const issue of unknownKeys) {
		const holder = issue.path.reduce<unknown>((place, key) => Reflect.get(Object(place), key), rest);
		for (const key of issue.keys) {
			words.note(`the key ${[...issue.path, key].join('.')} is not documented`);
			Reflect.deleteProperty(Object(holder), key);
		}
	}

	return checked(rest, schema, words);
}

/** A body key the documentation names and this simulator has no opinion about. */
export const anything = z.unknown().optional();

/** Length in Unicode code points. */
export function codePoints(text: string): number {
	return Array.from(text).length;
}

/** Length in UTF-8 bytes. */
export function bytes(text: string): number {
	return Buffer.byteLength(text, 'utf8');
}
