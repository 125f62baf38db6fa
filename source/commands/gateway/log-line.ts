import {type GatewayEvent} from '../../state/event.ts';
import {areaOf, eventText} from '../../state/line.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {isJsonObject, type JsonObject, type JsonValue, parseJson} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';

/** One line of a log, and when it was written; a line of a server's stderr does not say. */
export type LogLine = {readonly text: string; readonly time?: number; readonly profile?: string};

const longestLine = 4000;

/** A line of `logs/sluice.log` (docs/json.md, Log lines), as stored. */
export function readEventLine(text: string): LogLine {
	const value = parseJson(text);
	const {time, profile} = value !== undefined && isJsonObject(value) ? value : {time: undefined, profile: undefined};
	return {
		text,
		...(typeof time === 'number' && {time}),
		...(typeof profile === 'string' && {profile}),
	};
}

/** A line of a server's stderr; what Sluice itself wrote into it names the time. */
export function readServerLine(text: string): LogLine {
	const time = Date.parse(/^\[sluice (?<time>[^\]]{20,30})\]/u.exec(text)?.groups?.['time'] ?? '');
	return {text, ...(Number.isFinite(time) && {time})};
}

/** A line of `logs/sluice.log` as a person reads it, safe to show. One that another version wrote is shown as it is stored. */
export function eventLineText({text}: LogLine, home: string | undefined): string {
	return safeText(wordsOf(text, home), {maximumCharacters: longestLine});
}

/** A line of a server's stderr, safe to show. */
export function plainLineText({text}: LogLine): string {
	return safeText(text, {maximumCharacters: longestLine});
}

function wordsOf(text: string, home: string | undefined): string {
	const value = parseJson(text);
	if (value === undefined || !isJsonObject(value)) {
		return text;
	}

	try {
		const event = toCamelCase(value);
		return isEvent(event) ? `${dateAndTime(event.time)}  ${areaOf(event).padEnd(9)}  ${eventText(event, home)}` : text;
	} catch {
		return text;
	}
}

/** True for an event; a field of another version's shape makes the text fail, and the line is shown raw. */
function isEvent(value: object): value is GatewayEvent {
	return 'type' in value && typeof value.type === 'string' && 'time' in value && typeof value.time === 'number';
}

/** The names of fields as events have them; what servers named is in no text. */
function toCamelCase(object: JsonObject): object {
	return Object.fromEntries(
		Object.entries(object).map(([name, value]) => [
			name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase()),
			camelValue(value),
		]),
	);
}

function camelValue(value: JsonValue): unknown {
	if (Array.isArray(value)) {
		return value.map(camelValue);
	}

	return isJsonObject(value) ? toCamelCase(value) : value;
}
