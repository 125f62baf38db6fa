import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';

/** The error for an invalid value of the configuration, and whether the section is usable without the value. */
export type FieldRule = {
	/** Completes "Allowed: …". */
	readonly allowed: string;
	/** The closed list of a choice, and the noun for one of its words. */
	readonly words?: readonly string[];
	readonly noun?: string;
	/** Absent: an invalid value makes the section unusable. Otherwise the value is left out, or replaced, with a warning that ends in the sentence `notice`. */
	readonly instead?: {readonly notice: string; readonly use?: string};
};

const rules = z.registry<FieldRule>();

/** Attaches a description for editors and an error rule to a schema. */
export function field<Schema extends z.ZodType>(
	schema: Schema,
	about: FieldRule & {readonly description: string},
): Schema {
	const {description, ...rule} = about;
	const described = schema.describe(description);
	rules.add(described, rule);
	return described;
}

/** A described schema, created at its first use. */
export function lazyField<Schema extends z.ZodType>(
	make: () => Schema,
	about: FieldRule & {readonly description: string},
): () => Schema {
	return lazy(() => field(make(), about));
}

/** The rule of the schema at `path`, or of its nearest parent; `depth` is the number of keys from the root to it. */
export function findRule(
	schema: z.ZodType,
	path: readonly PropertyKey[],
): {readonly rule: FieldRule; readonly depth: number} | undefined {
	let found: {rule: FieldRule; depth: number} | undefined;
	let current: z.ZodType | undefined = schema;
	for (let depth = 0; current !== undefined; depth++) {
		const rule = rules.get(current) ?? rules.get(bare(current));
		found = rule ? {rule, depth} : found;
		const key = path[depth];
		current = key === undefined ? undefined : child(current, key);
	}

	return found;
}

/** The keys of the object schema at `path`. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
	let current: z.ZodType | undefined = schema;
	for (const key of path) {
		current = current && child(current, key);
	}

	const inner = current && mappingOf(current);
	return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

function bare(schema: z.ZodType): z.ZodType {
	return schema instanceof z.ZodOptional ? bare(asSchema(schema.unwrap())) : schema;
}

/** The schema, or the mapping among those that it is a union of. */
function mappingOf(schema: z.ZodType): z.ZodType {
	const inner = bare(schema);
	return inner instanceof z.ZodUnion
		? (inner.options.map(asSchema).find(option => option instanceof z.ZodObject) ?? inner)
		: inner;
}

function child(schema: z.ZodType, key: PropertyKey): z.ZodType | undefined {
	const inner = mappingOf(schema);
	if (inner instanceof z.ZodObject) {
		const shape: Readonly<Record<PropertyKey, unknown>> = inner.shape;
		return Object.hasOwn(shape, key) ? asSchema(shape[key]) : undefined;
	}

	if (inner instanceof z.ZodRecord) {
		return asSchema(inner.valueType);
	}

	return inner instanceof z.ZodArray ? asSchema(inner.element) : undefined;
}

/** zod types the parts of a schema by its core; all of ours are made by the classic interface. */
function asSchema(part: unknown): z.ZodType {
	return part instanceof z.ZodType ? part : z.unknown();
}
