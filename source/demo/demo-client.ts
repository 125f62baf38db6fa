import {type Origin} from '../state/origin.ts';
import {type Clock} from '../util/clock.ts';
import {type JsonValue} from '../util/json-text.ts';
import {repeat, type Repetition} from './repeat.ts';
import {readingCall, type ScriptedCall, writingCall} from './scripted-calls.ts';

const origin: Origin = {kind: 'demo', client: 'scripted demo client'};

/** The only way to the tools; never rejects. */
export type DemoCallTool = (
	call: {readonly name: string; readonly arguments: JsonValue; readonly origin: Origin},
	options: {readonly signal: AbortSignal},
) => Promise<unknown>;

/**
Plays an agent: calls a read-only tool every few seconds and a writing one now and then. Of each kind one call is open at a time,
so that at most one approval of the demo waits, for as long as the person likes.
*/
export function startDemoClient(options: {readonly clock: Clock; readonly callTool: DemoCallTool}): Repetition {
	const {clock, callTool} = options;
	const play = (scripted: (round: number) => ScriptedCall) => async (round: number, signal: AbortSignal) => {
		await callTool({...scripted(round), origin}, {signal});
	};

	const reading = repeat({clock, firstMilliseconds: 3000, everyMilliseconds: 5000, work: play(readingCall)});
	const writing = repeat({clock, firstMilliseconds: 2000, everyMilliseconds: 12_000, work: play(writingCall)});
	return {
		async stop() {
			await Promise.all([reading.stop(), writing.stop()]);
		},
	};
}
