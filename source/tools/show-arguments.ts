import {isJsonObject, type JsonObject, type JsonValue} from '../util/json-text.ts';
import {type FindSecrets} from '../util/redact.ts';
import {safeText} from '../util/safe-text.ts';
import {type MaskedJson, maskedJson, partLimits} from '../util/shown-json.ts';

/** Limits for one schema on display; a note replaces what is left out. */
const maxValueCharacters = 4000;
const maxNameCharacters = 200;
const maxMembers = 200;
const deepestMember = 20;

/** All strings of one schema together; beyond that only the length is shown. */
const maxCharacters = 100_000;

/** Knows secrets only by member name; the event bus masks the others. */
const byNameAlone: FindSecrets = text => [{kind: 'plain', text}];

/** Arguments as they travel: secrets masked, sizes bounded, texts as they are. An argument that is left out leaves a sign and a count. */
export function maskArguments(args: JsonObject, partsOf = byNameAlone): MaskedJson {
	return maskedJson(args, {room: partLimits, masks: {names: 'secret', partsOf}});
}

/** Any untrusted JSON for display: texts safe, sizes bounded. Nothing is masked: a schema may describe a password. */
export function showJson(value: JsonObject): JsonObject {
	return showObject(value, {characters: maxCharacters}, 0);
}

type Room = {characters: number};

function show(value: JsonValue, room: Room, depth: number): JsonValue {
	if (typeof value === 'string') {
		return showText(value, room);
	}

	if (typeof value !== 'object' || value === null) {
		return value;
	}

	if (depth > deepestMember) {
		return `… nested more than ${deepestMember} levels deep`;
	}

	return isJsonObject(value) ? showObject(value, room, depth) : showList(value, room, depth);
}

function showText(text: string, room: Room): string {
	const maximumCharacters = Math.min(maxValueCharacters, room.characters);
	const shown = safeText(text, {maximumCharacters, multiline: true});
	room.characters = Math.max(0, room.characters - shown.length);
	return shown;
}

function showList(list: readonly JsonValue[], room: Room, depth: number): JsonValue {
	const shown = list.slice(0, maxMembers).map(member => show(member, room, depth + 1));
	return list.length > maxMembers ? [...shown, `… ${list.length - maxMembers} more`] : shown;
}

function showObject(object: JsonObject, room: Room, depth: number): JsonObject {
	const entries = Object.entries(object);
	const shown = new Map<string, JsonValue>();
	for (const [name, member] of entries.slice(0, maxMembers)) {
		shown.set(freeName(safeText(name, {maximumCharacters: maxNameCharacters}), shown), show(member, room, depth + 1));
	}

	if (entries.length > maxMembers) {
		shown.set(freeName('…', shown), `${entries.length - maxMembers} more`);
	}

	return Object.fromEntries(shown);
}

/** Two names may look alike after escaping; neither may hide the other. */
function freeName(name: string, taken: ReadonlyMap<string, JsonValue>): string {
	let free = name;
	for (let count = 2; taken.has(free); count++) {
		free = `${name} (${count})`;
	}

	return free;
}
