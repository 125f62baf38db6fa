import {printableJson, readable} from '../util/shown-json.ts';
import {isJsonObject} from '../util/json-text.ts';
import {snakeCase} from '../util/snake-case.ts';
import {type GatewayEvent} from './event.ts';
import {actionCommands, serverCommands} from './next-action.ts';

/** Members whose own members were named by servers. */
const foreign = new Set(['arguments', 'hints']);

/**
One event as one line of JSON (docs/json.md, Log lines): `seq`, `time`, `type`, `profile` first, then the fields of the event.
Names of ours are in snake case at any depth; what servers named (arguments, hints) keeps its names. Absent fields are left out. Commands in it are for the state directory `home`, where one was typed.
*/
export function eventJson(event: GatewayEvent, home?: string): string {
	const {seq, time, type, profile} = event;
	const text = JSON.stringify(withSnakeMembers({seq, time, type, profile}, wordedEvent(event, home)));
	// Only arguments need escaping, and few events have any.
	return 'arguments' in event ? printableJson(JSON.stringify(readable(JSON.parse(text)))) : text;
}

/** Actions are data in the gateway; readers outside get them as text. Of a page that is to be opened they get the host: the rest of its address may be secret. */
function wordedEvent(event: GatewayEvent, home: string | undefined): Readonly<Record<string, unknown>> {
	if (event.type === 'server.state') {
		return {...event, ...serverCommands(event, home), nextActions: undefined};
	}

	if (event.type === 'question.asked' && event.url) {
		const {address: _, ...url} = event.url;
		return {...event, url};
	}

	if ('nextActions' in event) {
		const {nextActions, profile} = event;
		return {...event, nextAction: actionCommands(nextActions, {home, profile}), nextActions: undefined};
	}

	return event;
}

/** Fills `target`. Every event passes here: lists of names and values would cost more than the text. */
function withSnakeMembers(
	target: Record<string, unknown>,
	record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
	for (const name of Object.keys(record)) {
		const value = record[name];
		target[snakeCase(name)] = foreign.has(name) ? value : snakeValue(value);
	}

	return target;
}

function snakeValue(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(snakeValue);
	}

	return isJsonObject(value) ? withSnakeMembers({}, value) : value;
}
