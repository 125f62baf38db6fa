import {type Origin} from '../state/origin.ts';
import {type Clock} from '../util/clock.ts';
import {type JsonObject, type JsonValue} from '../util/json-text.ts';
import {repeat, type Repetition} from '../util/repeat.ts';

const origin: Origin = {kind: 'demo', client: 'scripted demo client'};

/** Calls a tool; never rejects. */
export type DemoCallTool = (
	call: {readonly name: string; readonly arguments: JsonValue; readonly origin: Origin},
	options: {readonly signal: AbortSignal},
) => Promise<unknown>;

/** A call by registered name. */
type ScriptedCall = {readonly name: string; readonly arguments: JsonObject};

/**
Simulates an agent: calls a read-only tool every few seconds and a writing one now and then. One call of each kind is open at a time,
so at most one approval of the demo is waiting, for as long as the person likes.
*/
export function startDemoClient(options: {readonly clock: Clock; readonly callTool: DemoCallTool}): Repetition {
	const {clock, callTool} = options;
	const play = (scripted: (round: number) => ScriptedCall) => async (round: number, signal: AbortSignal) => {
		await callTool({...scripted(round), origin}, {signal});
	};

	// Between two deliveries of the demo sender, which come at 1, 5, 9 … s: the order of the rows is the same each time.
	const reading = repeat({clock, firstMilliseconds: 3000, everyMilliseconds: 4000, work: play(readingCall)});
	const writing = repeat({clock, firstMilliseconds: 2000, everyMilliseconds: 12_000, work: play(writingCall)});
	return {
		async stop() {
			await Promise.all([reading.stop(), writing.stop()]);
		},
	};
}

const newTasks = [
	{title: 'Sow the radishes', bed: 'south bed'},
	{title: 'Turn the compost', bed: 'compost'},
	{title: 'Cut back the mint', bed: 'herb spiral'},
];

/** Every third writing call deletes what the two before it added. */
const writingRoundLength = 3;

/** The read-only call of a round: the tasks and the weather in turn. */
function readingCall(round: number): ScriptedCall {
	return round % 2 === 0
		? {name: 'mcp__garden__list_tasks', arguments: {}}
		: {name: 'mcp__weather__forecast', arguments: {place: 'Allotment', hours: 3}};
}

/** The writing call of a round: it changes something and needs approval. */
function writingCall(round: number): ScriptedCall {
	if (round % writingRoundLength === writingRoundLength - 1) {
		return {name: 'mcp__garden__delete_task', arguments: {id: Math.floor(round / writingRoundLength) + 1}};
	}

	return {name: 'mcp__garden__add_task', arguments: newTasks[round % newTasks.length] ?? {}};
}
