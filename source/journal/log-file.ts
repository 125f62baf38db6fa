import {type EventBus} from '../state/event-bus.ts';
import {eventJson} from '../state/event-json.ts';
import {type GatewayEvent} from '../state/event.ts';
import {atMost, type Clock} from '../util/clock.ts';
import {createLogWriter} from '../util/limits/log-writer.ts';
import {type Problem, toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** `logs/sluice.log`: every event of the event bus, one JSON object per line as in `--log json` (docs/json.md, Log lines). */
type LogFile = {
	/** Never throws and never waits for the disk. */
	readonly write: (event: GatewayEvent) => void;
	/** Resolves when everything written is in the file. */
	readonly close: () => Promise<void>;
};

/** One file of this size and its predecessor (`.1`) are retained. */
const rotateAtBytes = 10 * 1024 * 1024;

/** Opens the file (0600) for appending. Rejects with `config_unreadable`, whose message names the path; the first later failure goes to `report`. */
export async function openLogFile(options: {
	readonly path: string;
	readonly clock: Clock;
	readonly maximumBytes?: number;
	readonly report?: (problem: Problem) => void;
}): Promise<LogFile> {
	const {path, clock, maximumBytes = rotateAtBytes} = options;
	const report = onlyOnce(options.report);
	const writer = createLogWriter({
		path,
		clock,
		maxBytes: maximumBytes,
		onFailure: error => report(logProblem(path, error)),
	});
	await writer.open().catch(caught => {
		throw logProblem(path, caught);
	});
	return {write: event => writer.write(eventJson(event)), close: writer.close};
}

function logProblem(path: string, caught: unknown): Problem {
	return toProblem(caught, 'config_unreadable', {message: `The log cannot be written: ${safeText(path)}`});
}

/** Reports the first problem only: a report is an event, and events go to the log. */
function onlyOnce(report: ((problem: Problem) => void) | undefined): (problem: Problem) => void {
	let isReported = false;
	return problem => {
		if (!isReported) {
			isReported = true;
			report?.(problem);
		}
	};
}

/** The end of a stop waits so long for the last lines of the log. */
const closeMilliseconds = 5000;

/** Writes every event of a gateway to the log file at `path`; the returned function ends that. `profile` is that of what is wrong with the file. */
export async function openEventLog(
	{eventBus, clock}: {readonly eventBus: EventBus; readonly clock: Clock},
	path: string,
	profile: string,
): Promise<() => Promise<void>> {
	const publish = eventBus.publishFor(profile);
	const log = await openLogFile({
		path,
		clock,
		report: problem => publish({type: 'log', level: 'warning', area: 'log', text: problem.message}),
	});
	const endListening = eventBus.listen(log.write);
	return async () => {
		endListening();
		// A disk that hangs holds up no stop: the end of the process closes the file.
		await atMost(closeMilliseconds, log.close(), clock);
	};
}
