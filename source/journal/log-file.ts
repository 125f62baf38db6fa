import {eventJson} from '../state/event-json.ts';
import {type GatewayEvent} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
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
