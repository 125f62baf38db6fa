import {type Fields} from './entity.ts';
import {tableOf} from './table.ts';

/** The properties of a client of the endpoint (docs/endpoint.md, Clients). */
export const clientFields = {
	name: {json: 'text'},
	/** new: its token is made at the first start. off: the client `default` is false. no-token: its token refers to a variable that is not set. same-token: another client has it, too. */
	state: {json: ['ready', 'new', 'off', 'no-token', 'same-token']},
	/** The variable that holds the token; null: the token is written in another way. */
	variable: {json: 'text?'},
	/** The only tools that it is offered; null: all but `exclude`. */
	include: {json: 'texts?'},
	exclude: {json: 'texts'},
	/** True: servers ask its own person, as far as it can do that. */
	elicitation: {json: 'boolean'},
} as const satisfies Fields<object>;

/** `sluice clients list`. */
export const clientTable = tableOf(clientFields, [
	'name',
	'state',
	{title: 'VARIABLE', cell: ({variable}) => variable ?? ''},
	{
		title: 'TOOLS',
		cell: ({include, exclude}) =>
			include
				? include.join(', ') || 'none'
				: ['all', ...(exclude.length > 0 ? [`but ${exclude.join(', ')}`] : [])].join(' '),
	},
	{title: 'QUESTIONS', cell: ({elicitation}) => (elicitation ? 'to it' : 'to a console')},
]);
