import {builtInServer} from '../config/servers/server-entry.ts';
import {type Origin} from '../state/origin.ts';
import {hashJson} from '../util/json-hash.ts';
import {type JsonObject} from '../util/json-text.ts';
import {safeText} from '../util/safe-text.ts';
import {maskedJson, partLimits} from '../util/shown-json.ts';
import {type NewApproval} from './approval-queue.ts';

/** A limit that was reached, in the unit of its key: tokens, US dollars, calls, minutes or runs. */
export type ReachedLimit = {
	/** Its key path in the configuration: `limits.run.tokens`. */
	readonly path: string;
	readonly bound: number;
	readonly spent: number;
	/** The most that the refused request or call takes; absent: it is not known. */
	readonly next?: number | undefined;
	/** The work that was refused. */
	readonly origin: Origin;
	/** The day that it is for, and its end as text; absent: it is for the run. */
	readonly day?: {readonly date: string; readonly end: string} | undefined;
};

/** The question to a person about a limit. It can be lifted once: for the run, or for the rest of the day; nothing of it is remembered. */
export function limitRequest({path, bound, spent, next, origin, day}: ReachedLimit): NewApproval {
	const facts: JsonObject = {
		limit: path,
		amount: bound,
		spent,
		...(next !== undefined && {next_at_most: next}),
		...(day && {day: day.date}),
	};
	const {value, ...hidden} = maskedJson(facts, {room: partLimits, masks: undefined});
	const name = safeText(path, {maximumCharacters: 200});
	return {
		kind: 'limit',
		server: builtInServer,
		tool: name,
		registeredName: name,
		trust: 'full',
		transport: 'built-in',
		address: 'a part of Sluice',
		hints: {},
		description: day
			? `Allow lifts ${name} for all work until the day ends, ${day.end}. Deny keeps it: runs that began end with limit_reached, the others wait for the next day.`
			: `Allow lifts ${name} for this run alone, until it ends. Deny ends the run with limit_reached.`,
		arguments: value,
		...hidden,
		argumentsHash: hashJson(facts),
		origin,
	};
}
