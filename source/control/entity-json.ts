import {z} from 'zod';
import {type Field} from '../state/entities/entity.ts';
import {
	type JsonDocument,
	type JsonExtent,
	type JsonKind,
	jsonMembers,
	type JsonRow,
	type JsonValue,
	type Kind,
	kindParts,
	type KindOf,
} from '../state/entities/json-kind.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';

/** A JSON object whose members are handed on as they are. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'Expected an object');

const text = z.string();

const kinds: {readonly [Name in Kind]: z.ZodType<JsonValue<Name>>} = {
	id: text,
	text,
	name: text,
	texts: z.array(text),
	count: z.int(),
	boolean: z.boolean(),
	time: z.number(),
	ms: z.number(),
	usd: z.number(),
	object: jsonObject,
	form: z.array(z.looseObject({name: text, title: text, description: text, required: z.boolean(), kind: text})),
	headers: z.record(text, text),
	run: z.object({id: text, state: text}),
	deliveries: z.array(z.object({target: text, outcome: text})),
	usage: z.object({input_tokens: z.number(), output_tokens: z.number()}),
	origin: z.looseObject({kind: text}),
};

type KindSchema<Of> = Of extends `${infer Name extends Kind}-?`
	? z.ZodOptional<z.ZodType<JsonValue<Name>>>
	: z.ZodType<JsonValue<Of>>;

type Shape<Fields, Extent extends JsonExtent> = {
	-readonly [Name in keyof Fields as KindOf<Fields[Name], Extent> extends JsonKind ? Name : never]: KindSchema<
		KindOf<Fields[Name], Extent>
	>;
};

type AnyFields = Readonly<Record<string, Field<never>>>;

/** The schema of the members that fields describe, in their order. */
export function schemaOf<const Fields extends AnyFields, const Extent extends JsonExtent>(
	fields: Fields,
	extent: Extent,
) {
	const shape = jsonMembers(fields, extent).map(([name, kind]) => [name, kindSchema(kind)]);
	return z.object(Object.fromEntries(shape) as Shape<Fields, Extent>);
}

function kindSchema(kind: JsonKind): z.ZodType {
	const {base, absent} = kindParts(kind);
	const schema = typeof base === 'string' ? kinds[base] : z.enum(base);
	switch (absent) {
		case 'never':
			return schema;
		case 'null':
			return schema.nullable();
		case 'left-out':
			return schema.optional();
	}
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;

/** The names of members whose value a row has under their own name in camel case; undefined stands for null there. */
type OwnNames<Json, Row> = {
	[Name in keyof Json]-?: CamelCase<Name> extends keyof Row
		? Row[CamelCase<Name>] extends Json[Name] | (null extends Json[Name] ? undefined : never)
			? Name
			: never
		: never;
}[keyof Json];

/** The members that a row does not have as they are, and any others. */
type Made<Json, Row> = Omit<Json, OwnNames<Json, Row>> & Partial<Json>;

/** A row of `--json`: the members in `made`, and all others from the row by their names in camel case. */
export function rowToJson<const Fields extends AnyFields, Row extends object>(
	fields: Fields,
	row: Row,
	made: Made<JsonRow<Fields>, Row>,
): JsonRow<Fields> {
	return membersOf(jsonMembers(fields, 'row'), row, made) as JsonRow<Fields>;
}

/** The same with the members of the document of `show`. */
export function documentToJson<const Fields extends AnyFields, Row extends object>(
	fields: Fields,
	row: Row,
	made: Made<JsonDocument<Fields>, Row>,
): JsonDocument<Fields> {
	return membersOf(jsonMembers(fields, 'document'), row, made) as JsonDocument<Fields>;
}

function membersOf(members: ReturnType<typeof jsonMembers>, row: object, made: object): object {
	const values: Readonly<Record<string, unknown>> = {...row, ...made};
	return Object.fromEntries(
		members.flatMap(([name, kind]) => {
			const value = values[Object.hasOwn(made, name) ? name : camelCase(name)];
			if (value !== undefined) {
				return [[name, value]];
			}

			return kindParts(kind).absent === 'null' ? [[name, null]] : [];
		}),
	);
}

function camelCase(name: string): string {
	return name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}
