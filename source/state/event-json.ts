import {type GatewayEvent} from './event.ts';

/** Members whose own members were named by servers. */
const foreign = new Set(['arguments', 'hints']);

/**
One event as one line of JSON (spec/decisions.md, D14): `seq`, `time`, `type`, `profile` first, then the fields of the event.
Names of ours are in snake case at any depth; what servers named (arguments, hints) keeps its names. Absent fields are left out.
*/
export function eventJson(event: GatewayEvent): string {
	const {seq, time, type, profile, ...rest} = event;
	return JSON.stringify({seq, time, type, profile, ...snakeMembers(rest)});
}

function snakeMembers(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(record).map(([name, value]) => [snakeCase(name), foreign.has(name) ? value : snakeValue(value)]),
	);
}

function snakeValue(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(snakeValue);
	}

	return isRecord(value) ? snakeMembers(value) : value;
}

/** Names of ours are few; each is turned once. */
const snakeNames = new Map<string, string>();
const mostNames = 1000;

function snakeCase(name: string): string {
	const known = snakeNames.get(name);
	if (known !== undefined) {
		return known;
	}

	const snake = name.replaceAll(/[A-Z]/g, capital => `_${capital.toLowerCase()}`);
	if (snakeNames.size < mostNames) {
		snakeNames.set(name, snake);
	}

	return snake;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}
