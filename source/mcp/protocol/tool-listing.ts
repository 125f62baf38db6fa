import * as z from 'zod';
import {isDeeperThan, isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type ServerCapabilities, type ToolDefinition} from '../connection.ts';
import {passedMeta} from './passed-meta.ts';

/** One page of `tools/list`, its entries unparsed. */
const toolPageSchema = z.object({
	tools: z.array(z.unknown()),
	nextCursor: z.string().optional().catch(undefined),
});

export type ToolPage = z.infer<typeof toolPageSchema>;

/** Parses a response to `tools/list`. Throws Problem `invalid_answer` when it contains no list. */
export function readToolPage(answer: unknown): ToolPage {
	const parsed = toolPageSchema.safeParse(answer);
	if (!parsed.success) {
		throw new Problem('invalid_answer', {message: 'Its list of tools cannot be read'});
	}

	return parsed.data;
}

/** The tools of a server, and what was left out. */
export type ToolListing = {
	readonly tools: ServerCapabilities['tools'];
	/** The reason that the list is incomplete, in words for the log; empty when it is complete. */
	readonly warnings: readonly string[];
};

const pageLimit = 200;
const toolLimit = 10_000;

/** Pages through `tools/list` to the end, within bounds of pages and tools (docs/connections.md, States). Rejects as `fetchPage` does. */
export async function listTools(fetchPage: (cursor: string | undefined) => Promise<ToolPage>): Promise<ToolListing> {
	const tools: ToolDefinition[] = [];
	const warnings: string[] = [];
	const seenCursors = new Set<string>();
	let broken = 0;
	let cursor: string | undefined;
	for (let pages = 1; ; pages++) {
		const page = await fetchPage(cursor);
		const definitions = page.tools.map(entry => narrowDefinition(entry));
		broken += definitions.filter(definition => definition === undefined).length;
		tools.push(...definitions.filter(definition => definition !== undefined));
		cursor = page.nextCursor;
		if (cursor === undefined) {
			break;
		}

		if (seenCursors.has(cursor) || pages === pageLimit || tools.length >= toolLimit) {
			warnings.push(`the list of tools was cut after ${pages} pages`);
			break;
		}

		seenCursors.add(cursor);
	}

	if (broken > 0) {
		warnings.push(`${broken} tool definitions were not usable`);
	}

	if (tools.length > toolLimit) {
		warnings.push(`only the first ${toolLimit} of its tools are used`);
	}

	return {tools: tools.slice(0, toolLimit), warnings};
}

/** The very object, not a copy: what is listed was parsed from JSON, so all below it is JSON, too. */
const jsonObject = z.custom<JsonObject>(isJsonObject);
const optionalText = z.string().optional().catch(undefined);
const optionalHint = z.boolean().optional().catch(undefined);
/** Pictures in every page of a list cost their readers. */
const maxIcons = 8;
const maxIconCharacters = 16_384;
const icons = z
	.array(z.custom<JsonObject>(value => isJsonObject(value) && isIcon(value)))
	.max(maxIcons)
	.optional()
	.catch(undefined);

function isIcon(icon: JsonObject): boolean {
	return typeof icon['src'] === 'string' && JSON.stringify(icon).length <= maxIconCharacters;
}

/** A definition as the server sent it. An invalid optional member is dropped; without a name or an input schema it is not a tool. */
const definitionSchema = z.object({
	name: z.string().min(1).max(1000),
	title: optionalText,
	description: optionalText,
	inputSchema: jsonObject,
	outputSchema: jsonObject.optional().catch(undefined),
	annotations: z
		.object({
			title: optionalText,
			// Only a real boolean counts: the string "true" is not valid here.
			readOnlyHint: optionalHint,
			destructiveHint: optionalHint,
			idempotentHint: optionalHint,
			openWorldHint: optionalHint,
		})
		.optional()
		.catch(undefined),
	icons,
	_meta: z.custom<JsonObject>(isJsonObject).optional().catch(undefined).transform(passedMeta),
});

/** Parses one entry of `tools/list`; undefined when it is not a tool. One bad tool must not cost the others. */
export function narrowDefinition(value: unknown): ToolDefinition | undefined {
	const parsed = definitionSchema.safeParse(value);
	return parsed.success && !isTooDeep(parsed.data) ? withoutUndefined(parsed.data) : undefined;
}

/** Far beyond what is registered (docs/connections.md, Results), and little enough for recursion. */
const deepestListed = 1000;

function isTooDeep({inputSchema, outputSchema = {}}: z.infer<typeof definitionSchema>): boolean {
	return isDeeperThan(inputSchema, deepestListed) || isDeeperThan(outputSchema, deepestListed);
}

/** Fingerprints are computed from definitions: an absent member must not appear as undefined. */
function withoutUndefined(definition: ToolDefinition): ToolDefinition {
	const {annotations, ...rest} = definition;
	return {
		...present(rest),
		...(annotations && {annotations: present(annotations)}),
	};
}

function present<Shape extends object>(shape: Shape): Shape {
	return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Shape;
}
