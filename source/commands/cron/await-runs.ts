import {type GatewayEvent} from '../../state/event.ts';
import {type EventBus} from '../../state/event-bus.ts';

/** How runs ended, also those that ended before anybody asked: `of` resolves with the last state of a run. */
export function awaitRuns(eventBus: Pick<EventBus, 'listen'>) {
	const ended = new Map<string, string>();
	const waiting = new Map<string, (state: string) => void>();
	const close = eventBus.listen((event: GatewayEvent) => {
		if (event.type === 'run.state' && event.state !== 'queued' && event.state !== 'running') {
			ended.set(event.runId, event.state);
			waiting.get(event.runId)?.(event.state);
		}
	});
	const of = (runId: string) =>
		new Promise<string>(resolve => {
			const state = ended.get(runId);
			if (state === undefined) {
				waiting.set(runId, resolve);
			} else {
				resolve(state);
			}
		});
	return {of, close};
}
