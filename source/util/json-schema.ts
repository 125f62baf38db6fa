import {z} from 'zod';
import {type JsonObject, type JsonValue, isDeeperThan} from './json-text.ts';
import {compilePattern} from './pattern.ts';
import {errorText, Problem} from './problem.ts';
import {safeText} from './safe-text.ts';

/** A compiled schema, or why it is unusable. */
export type SchemaCheck =
	| {
			readonly kind: 'ready';
			/** The error in a value, position first and safe to show; undefined when it is valid. */
			readonly problemOf: (value: JsonValue) => string | undefined;
	  }
	| {readonly kind: 'unusable'; readonly reason: string};

const deepestSchema = 100;
const longestSchemaCharacters = 1_000_000;

/** The supported dialects of JSON Schema; without `$schema` it is 2020-12. */
const dialects: ReadonlyArray<{readonly name: RegExp; readonly dialect: '2020-12' | 'draft-07'}> = [
	{name: /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/u, dialect: '2020-12'},
	{name: /^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/u, dialect: '2020-12'},
	{name: /^https?:\/\/json-schema\.org\/draft-0[467]\/schema#?$/u, dialect: 'draft-07'},
];

const formats: Readonly<Record<string, z.ZodType>> = {
	email: z.email(),
	uri: z.url(),
	date: z.iso.date(),
	'date-time': z.iso.datetime({offset: true}),
};

/**
Compiles an untrusted schema. Nothing is ever fetched: an external reference makes the schema unusable.
Patterns run in linear time; one without a linear-time form is not checked, nor are unknown formats and keywords. Never rejects.
*/
export async function prepareSchema(schema: JsonObject): Promise<SchemaCheck> {
	try {
		if (isDeeperThan(schema, deepestSchema) || JSON.stringify(schema).length > longestSchemaCharacters) {
			return {kind: 'unusable', reason: 'it is too large'};
		}

		const ajv = await openAjv(dialectOf(schema));
		const {$id: _, $schema: __, ...rest} = schema;
		const validate = ajv.compile(rest);
		return {
			kind: 'ready',
			problemOf(value) {
				if (validate(value)) {
					return undefined;
				}

				const [first] = validate.errors ?? [];
				const place = first?.instancePath.replaceAll('/', '.').slice(1) ?? '';
				return safeText(`${place && `${place} `}${first?.message ?? 'does not fit'}`, {maximumCharacters: 300});
			},
		};
	} catch (caught) {
		return {kind: 'unusable', reason: safeText(errorText(caught), {maximumCharacters: 300})};
	}
}

function dialectOf({$schema}: JsonObject): '2020-12' | 'draft-07' {
	if (typeof $schema !== 'string') {
		return '2020-12';
	}

	const known = dialects.find(({name}) => name.test($schema));
	if (!known) {
		throw new Error(`its dialect ${$schema} is not known`);
	}

	return known.dialect;
}

/** One instance per schema: untrusted schemas must not see each other's identifiers. */
async function openAjv(dialect: '2020-12' | 'draft-07') {
	const options = {
		strict: false,
		logger: false,
		meta: false,
		validateSchema: false,
		ownProperties: true,
		code: {regExp: Object.assign(linearPattern, {code: 'linearPattern'})},
	} as const;
	const ajv =
		dialect === '2020-12'
			? new (await import('ajv/dist/2020.js')).Ajv2020(options)
			: new (await import('ajv')).Ajv(options);
	for (const [name, format] of Object.entries(formats)) {
		ajv.addFormat(name, {type: 'string', validate: text => format.safeParse(text).success});
	}

	return ajv;
}

function linearPattern(notation: string): {readonly test: (text: string) => boolean} {
	const pattern = compilePattern(notation);
	return pattern instanceof Problem ? {test: () => true} : pattern;
}
