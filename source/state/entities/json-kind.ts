import {type JsonObject} from '../../util/json-text.ts';

/** Values of members by the names of their kinds. */
type Values = {
	readonly id: string;
	readonly text: string;
	/** A name that a server or a sender chose. */
	readonly name: string;
	readonly texts: readonly string[];
	readonly count: number;
	readonly boolean: boolean;
	/** Milliseconds since the epoch. */
	readonly time: number;
	/** A duration in milliseconds. */
	readonly ms: number;
	/** An amount in dollars. */
	readonly usd: number;
	readonly object: JsonObject;
	/** The values that a question asks for. */
	readonly form: ReadonlyArray<{
		readonly name: string;
		readonly title: string;
		readonly description: string;
		readonly required: boolean;
		readonly kind: string;
		readonly [name: string]: unknown;
	}>;
	readonly headers: Readonly<Record<string, string>>;
	readonly run: {readonly id: string; readonly state: string};
	readonly deliveries: ReadonlyArray<{readonly target: string; readonly outcome: string}>;
	readonly usage: {readonly input_tokens: number; readonly output_tokens: number};
	readonly origin: {readonly kind: string; readonly [name: string]: unknown};
};

/** The name of a kind that is no list of words. */
export type Kind = keyof Values;

/** The kind of a member in JSON: `?` allows null, `-?` leaves it out where it does not apply, a list allows these words, and null, alone. */
export type JsonKind = Kind | `${Kind}?` | `${Kind}-?` | ReadonlyArray<string | null>;

/** The value of a member of a kind. */
export type JsonValue<Of> = Of extends `${infer Base extends Kind}-?`
	? Values[Base] | undefined
	: Of extends `${infer Base extends Kind}?`
		? Values[Base] | null
		: Of extends Kind
			? Values[Of]
			: Of extends readonly (infer Word)[]
				? Word
				: never;

/** Members of a row of `--json`, or of the document of `show`, which has those of a row too. */
export type JsonExtent = 'row' | 'document';

/** The kind of a field; `absent` for one that has no member there. */
export type KindOf<Field, Extent extends JsonExtent> = Field extends {readonly json: infer Of}
	? Of
	: Extent extends 'document'
		? Field extends {readonly show: infer Of}
			? Of
			: 'absent'
		: 'absent';

type Members<Fields, Extent extends JsonExtent> = {
	readonly [Name in keyof Fields as KindOf<Fields[Name], Extent> extends `${Kind}-?`
		? never
		: KindOf<Fields[Name], Extent> extends JsonKind
			? Name
			: never]: JsonValue<KindOf<Fields[Name], Extent>>;
} & {
	readonly [Name in keyof Fields as KindOf<Fields[Name], Extent> extends `${Kind}-?` ? Name : never]?: JsonValue<
		KindOf<Fields[Name], Extent>
	>;
};

/** A row of `--json`, as the fields of its entity describe it. */
export type JsonRow<Fields> = Members<Fields, 'row'>;

/** The members of the document of `show` that fields describe, those of a row included. */
export type JsonDocument<Fields> = Members<Fields, 'document'>;

/** The members that fields describe, in order. */
export function jsonMembers(
	fields: Readonly<Record<string, {readonly json?: JsonKind; readonly show?: JsonKind}>>,
	extent: JsonExtent,
): ReadonlyArray<readonly [name: string, kind: JsonKind]> {
	return Object.entries(fields).flatMap(([name, {json, show}]) => {
		const kind = json ?? (extent === 'document' ? show : undefined);
		return kind === undefined ? [] : [[name, kind] as const];
	});
}

/** A kind without its mark, or its words, and what stands for a value that does not apply. */
export function kindParts(kind: JsonKind): {
	readonly base: Kind | readonly string[];
	readonly absent: 'never' | 'null' | 'left-out';
} {
	if (typeof kind !== 'string') {
		return {base: kind.filter(word => word !== null), absent: kind.includes(null) ? 'null' : 'never'};
	}

	const base = kind.replace(/-?\?$/u, '') as Kind;
	return {base, absent: kind === base ? 'never' : kind.endsWith('-?') ? 'left-out' : 'null'};
}
