import * as z from 'zod';
import {type JsonObject} from '../../util/json-text.ts';
import {type ToolDefinition} from '../connection.ts';

const jsonObject = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;
const optionalText = z.string().optional().catch(undefined);
const optionalHint = z.boolean().optional().catch(undefined);

/** A definition as the server sent it. A bad optional member is dropped; without a name or an input schema the tool is none. */
const definitionSchema = z.object({
	name: z.string().min(1).max(1000),
	title: optionalText,
	description: optionalText,
	inputSchema: jsonObject,
	outputSchema: jsonObject.optional().catch(undefined),
	annotations: z
		.object({
			title: optionalText,
			// Only a real boolean counts: "true" is not a claim of the protocol.
			readOnlyHint: optionalHint,
			destructiveHint: optionalHint,
			idempotentHint: optionalHint,
			openWorldHint: optionalHint,
		})
		.optional()
		.catch(undefined),
});

/** Narrows one entry of `tools/list`; undefined when it is no tool. One bad tool must not cost the others. */
export function narrowDefinition(value: unknown): ToolDefinition | undefined {
	const parsed = definitionSchema.safeParse(value);
	return parsed.success ? withoutUndefined(parsed.data) : undefined;
}

/** Fingerprints are taken of definitions: an absent member must not appear as an undefined one. */
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
