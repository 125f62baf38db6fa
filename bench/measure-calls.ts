import {type CallOrder, type CallTimes} from './call-sides.ts';

/** A call of `echo` with a text. */
export type EchoCall = (text: string) => Promise<unknown>;

/** `callers` at a time until `calls` are made. */
async function measureCalls(call: EchoCall, {callers, calls}: CallOrder): Promise<CallTimes> {
	const times: number[] = [];
	const before = process.cpuUsage();
	const startedAt = performance.now();
	let left = calls;
	const work = async () => {
		while (left-- > 0) {
			const began = performance.now();
			await call(`call ${left}`);
			times.push(performance.now() - began);
		}
	};

	await Promise.all(Array.from({length: callers}, work));
	const {user, system} = process.cpuUsage(before);
	return {times, milliseconds: performance.now() - startedAt, processorMilliseconds: (user + system) / 1000};
}

/** Makes this process a caller: it measures what its parent orders (`startCaller`). */
export function takeOrders(call: EchoCall): void {
	process.on('message', (order: CallOrder) => void measureCalls(call, order).then(times => process.send?.(times)));
	process.send?.('ready');
}
