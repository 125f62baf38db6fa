import {type z} from 'zod';
import {type Clock} from '../../util/clock.ts';
import {isJsonObject, type JsonObject, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {valueAt} from './plain-value.ts';
import {keyPathText} from './problem-list.ts';
import {kindOf, kindsOfJson, notAllowed} from './mismatch-text.ts';

/**
A small JSON object that several processes read and change: a file of the state directory, or a row in the database of the journal
(docs/configuration.md, State directory). An invalid one is reported and never overwritten.
*/
export type StoredDocument<Value> = {
	/** Its place, for messages: the path of the file, or words. */
	readonly place: string;
	/** The value, or the fallback when there is none. Throws a Problem when it is invalid or cannot be read. */
	readonly read: () => Value;
	/**
	Replaces the value by what `change` makes of the current one, atomically; changes that others make meanwhile are not lost. Returning the same
	value writes nothing. `change` may be called several times, the last time with what it is stored in place of. Until the promise resolves, `read`
	answers what was there before. Rejects with the error of `change`, or with a Problem when it cannot be written, or is invalid; it is unchanged then.
	*/
	readonly update: (change: (value: Value) => Value, clock: Clock) => Promise<void>;
	/** Changes with the content, without reading it; in a database it is the version, 0 when there is none. */
	readonly stamp: () => string;
};

/** The documents of a profile, which are files or rows of a database together. */
export const documentNames = ['approval-rules', 'hold', 'webhook_subscriptions', 'cron/jobs'] as const;

export type DocumentName = (typeof documentNames)[number];

/** The content of a document. */
export type DocumentKind<Value extends JsonObject> = {
	readonly name: DocumentName;
	readonly schema: z.ZodType<Value>;
	/** The content if there is no document. */
	readonly fallback: Value;
	/** A larger one is not read. Default: any is. */
	readonly largestBytes?: number;
};

/** The documents of one profile. */
export type Documents = {
	readonly open: <Value extends JsonObject>(kind: DocumentKind<Value>) => StoredDocument<Value>;
	/**
	Calls `listener` when another process has changed the document, or when it can be read for the first time; returns what ends that. Files are
	looked at when they are read, and call nobody.
	*/
	readonly onChange: (name: DocumentName, listener: () => void) => () => void;
	/** Takes over what others changed, now. Files are looked at when they are read anyway. Rejects with `storage_unavailable`. */
	readonly refresh: () => Promise<void>;
};

/** The documents of any profile of a state directory. */
export type DocumentsOf = (paths: {readonly profile: string; readonly directory: string}) => Documents;

/** Refuses a document that is larger than it may be. */
export function assertSize(bytes: number, place: string, largestBytes: number | undefined): void {
	if (largestBytes !== undefined && bytes > largestBytes) {
		throw new Problem('config_unreadable', {message: `${place} is larger than ${largestBytes / 1_048_576} MB`});
	}
}

/** The value of a stored text. Throws a Problem that names the place, and never shows the value, which may be a secret. */
export function parseDocument<Value>(
	schema: z.ZodType<Value>,
	text: string,
	{place, remedy}: {readonly place: string; readonly remedy: string},
): Value {
	const stored = parseJson(text);
	if (!isJsonObject(stored)) {
		throw new Problem('config_syntax', {message: `${place} is not a JSON object`, remedy});
	}

	const result = schema.safeParse(stored);
	if (result.success) {
		return result.data;
	}

	const [issue] = result.error.issues;
	const key = keyPathText(issue?.path.map(part => (typeof part === 'number' ? part : String(part))) ?? []);
	const found = kindOf(valueAt(stored, issue?.path ?? []));
	const message = `${place}: ${key ? `${key}: ` : ''}${notAllowed(found, issue && allowedText(issue))}`;
	throw new Problem('config_invalid', {message, remedy});
}

/** The type that a schema wants instead of a value. */
function allowedText(issue: z.core.$ZodIssue): string | undefined {
	if (issue.code === 'invalid_type') {
		return kindsOfJson[issue.expected] ?? issue.expected;
	}

	return issue.code === 'invalid_value' ? issue.values.map(String).join(', ') : undefined;
}
