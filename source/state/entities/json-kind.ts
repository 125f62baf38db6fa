import {type JsonObject} from '../../util/json-text.ts';

/** Values of members by the names of their kinds. */
type Values = {
	readonly id: string;
	readonly text: string;
	/** A name that a server or a sender chose. */
	readonly name: string;
	readonly texts: readonly string[];
	readonly count: number;
	/** Milliseconds since the epoch. */
	readonly time: number;
	/** A duration in milliseconds. */
	readonly ms: number;
	readonly object: JsonObject;
	/** The values that a question asks for. */
	readonly form: ReadonlyArray<{readonly name: string; readonly required: boolean}>;
	readonly run: {readonly id: string; readonly state: string};
	readonly deliveries: ReadonlyArray<{readonly target: string; readonly outcome: string}>;
	readonly usage: {readonly input_tokens: number; readonly output_tokens: number};
	readonly origin: {readonly kind: string; readonly [name: string]: unknown};
};

type Kind = keyof Values;

/** The kind of a member in JSON: `?` allows null, `-?` leaves it out where it does not apply, a list allows these words alone. */
export type JsonKind = Kind | `${Kind}?` | `${Kind}-?` | readonly string[];

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

type Members<Fields, Place extends 'json' | 'show'> = {
	readonly [Name in keyof Fields as KindOf<Fields[Name], Place> extends `${Kind}-?`
		? never
		: KindOf<Fields[Name], Place> extends JsonKind
			? Name
			: never]: JsonValue<KindOf<Fields[Name], Place>>;
} & {
	readonly [Name in keyof Fields as KindOf<Fields[Name], Place> extends `${Kind}-?` ? Name : never]?: JsonValue<
		KindOf<Fields[Name], Place>
	>;
};

/** The kind of a field in a place; of one that is not there, a word that is no kind. */
type KindOf<Field, Place extends 'json' | 'show'> = Field extends {readonly [Key in Place]: infer Of} ? Of : 'absent';

/** A row of `--json`, as the fields of its entity describe it. */
export type JsonRow<Fields> = Members<Fields, 'json'>;

/** The members of the document of `show` that fields describe, those of a row included. */
export type JsonDocument<Fields> = JsonRow<Fields> & Members<Fields, 'show'>;
