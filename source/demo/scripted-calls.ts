import {type JsonObject} from '../util/json-text.ts';

/** A call by registered name. */
export type ScriptedCall = {readonly name: string; readonly arguments: JsonObject};

const newTasks = [
	{title: 'Sow the radishes', bed: 'south bed'},
	{title: 'Turn the compost', bed: 'compost'},
	{title: 'Cut back the mint', bed: 'herb spiral'},
];

/** Every third writing call deletes what the two before it added. */
const writingRoundLength = 3;

/** The read-only call of a round: the tasks and the weather in turn. */
export function readingCall(round: number): ScriptedCall {
	return round % 2 === 0
		? {name: 'mcp__garden__list_tasks', arguments: {}}
		: {name: 'mcp__weather__forecast', arguments: {place: 'Allotment', hours: 3}};
}

/** The writing call of a round: it changes something, so that a person must answer for it. */
export function writingCall(round: number): ScriptedCall {
	if (round % writingRoundLength === writingRoundLength - 1) {
		return {name: 'mcp__garden__delete_task', arguments: {id: Math.floor(round / writingRoundLength) + 1}};
	}

	return {name: 'mcp__garden__add_task', arguments: newTasks[round % newTasks.length] ?? {}};
}
