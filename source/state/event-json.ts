import {type GatewayEvent} from './event.ts';

/**
One event as one line of JSON (spec/decisions.md, D14): `seq`, `time`, `type`, `profile` first, then the fields of the event.
Names of ours are in snake case, those of an origin too; what servers named (arguments, hints) keeps its names. Absent fields are left out.
*/
export function eventJson(event: GatewayEvent): string {
	const {seq, time, type, profile, ...rest} = event;
	const fields = Object.entries(rest).map(([name, value]: [string, unknown]) => [
		snakeCase(name),
		name === 'origin' && isRecord(value) ? snakeMembers(value) : value,
	]);
	return JSON.stringify({seq, time, type, profile, ...Object.fromEntries(fields)});
}

function snakeMembers(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(record).map(([name, value]) => [snakeCase(name), value]));
}

function snakeCase(name: string): string {
	return name.replaceAll(/[A-Z]/g, capital => `_${capital.toLowerCase()}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}
