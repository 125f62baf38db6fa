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
} as const satisfies Fields<object>;

/** `sluice mcp tools`. */
export const toolTable = tableOf(toolFields, [
	'name',
	'approval',
	{title: 'READS ONLY', cell: ({read_only: readOnly}) => (readOnly ? 'yes' : 'no')},
	{
		title: 'DESCRIPTION',
		cell: ({title, description}) => (title === null ? (description.split('\n', 1)[0] ?? '') : quoted(title)),
	},
]);
