import {type AcceptableEvent, type DispatchOptions} from './acceptable-event.ts';
import {deliverNow} from './deliver-now.ts';
import {fireJobOf} from './fire-job.ts';
import {type Outcome} from './outcome.ts';
import {queueRun} from './queue-run.ts';

/** Acts on an event: keeps it in the journal first, then starts what its route asks for. Never rejects. */
export function dispatch(event: AcceptableEvent, options: DispatchOptions): Promise<Outcome> {
	if (event.route.cronJob !== undefined) {
		return fireJobOf(event, event.route.cronJob, options);
	}

	switch (event.route.action) {
		case 'agent':
			return queueRun(event, options);
		case 'deliver-only':
			return deliverNow(event, options);
	}
}
