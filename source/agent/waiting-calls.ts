import {type Waiting} from './agent-tool.ts';

/** What a run waits for, whichever of its calls do. */
export type WaitingCalls = {readonly set: (callId: string, waiting: Waiting) => void};

/** Opens the list of a run; `tell` hears of changes only. An approval counts more than an answer: it holds up a deed. */
export function createWaitingCalls(report: (waiting: Waiting) => void): WaitingCalls {
	const calls = new Map<string, Waiting>();
	let told: Waiting = 'nothing';
	return {
		set(callId, waiting) {
			calls.set(callId, waiting);
			const all = [...calls.values()];
			const now = (['approval', 'answer'] as const).find(one => all.includes(one)) ?? 'nothing';
			if (now !== told) {
				told = now;
				report(now);
			}
		},
	};
}
