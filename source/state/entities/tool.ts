import {quoted} from '../../util/safe-text.ts';
import {type Fields} from './entity.ts';
import {tableOf} from './table.ts';

/** The properties of a registered tool. */
export const toolFields = {
	name: {json: 'text', title: 'TOOL'},
	server: {json: 'text'},
	tool: {json: 'text'},
	title: {json: 'text?'},
	description: {json: 'text'},
	input_schema: {json: 'object'},
	read_only: {json: 'boolean'},
	approval: {json: ['none', 'ask', 'remembered']},
	/** The tokens that its name, description and arguments cost a model, by `tokenizer`; null: not counted. */
	tokens: {json: 'count?'},
	tokenizer: {json: 'text'},
	/** The clients of the endpoint that are offered it. */
	clients: {json: 'texts'},
} as const satisfies Fields<object>;

/** Programs such as Claude Code cut longer descriptions (https://code.claude.com/docs/en/mcp). */
const longestDescriptionBytes = 2048;

/** True for a description of which a program may show its model a part alone. */
export function isLongDescription(description: string): boolean {
	return Buffer.byteLength(description) > longestDescriptionBytes;
}

/** `sluice mcp tools`. */
export const toolTable = tableOf(toolFields, [
	'name',
	'approval',
	{title: 'READS ONLY', cell: ({read_only: readOnly}) => (readOnly ? 'yes' : 'no')},
	'tokens',
	{
		title: 'DESCRIPTION',
		cell: ({title, description}) => (title === null ? (description.split('\n', 1)[0] ?? '') : quoted(title)),
	},
]);
