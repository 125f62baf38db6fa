import {join} from 'node:path';
import {type SettingsScope} from '../../config/programs/find-program.ts';
import {pluginMark, pluginWords} from '../../config/programs/opencode-plugin.ts';
import {isOwnProgram} from '../../config/programs/own-entry.ts';
import {type Places} from '../../config/programs/places.ts';
import {type ProgramFile, readProgramFile} from '../../config/programs/program-file.ts';
import {type PluginHook, type SettingsHook} from '../../config/programs/program-hooks.ts';
import {type AgentProgram} from '../../config/programs/programs.ts';
import {isSameJson, type SettingPath, type SettingsEdit} from '../../config/programs/settings-edit.ts';
import {memberAt, parseSettings} from '../../config/programs/settings.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {shellWord} from '../../util/named-commands.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {shellWords} from '../config/editor.ts';

/** A program in a scope, with the folders of this start. */
type Where = {readonly program: AgentProgram; readonly scope: SettingsScope; readonly places: Places};

/** Our hook as a program has it. */
export type FoundHook = {
	readonly file: ProgramFile;
	/** The words of its command line. */
	readonly words: readonly string[];
	/** True if it has as much time as it may take. */
	readonly isLongEnough: boolean;
	/** Events that it does not get. */
	readonly missing: readonly string[];
	/** The places of its handlers: event, number in the list of the event, number in the group. */
	readonly handlers: ReadonlyArray<readonly [event: string, item: number, handler: number]>;
};

/** Changes of one file that are not made yet: edits of settings, or the whole text of a plugin, where undefined removes it. */
export type HookChange =
	| {readonly kind: 'settings'; readonly file: ProgramFile; readonly edits: readonly SettingsEdit[]}
	| {readonly kind: 'plugin'; readonly file: ProgramFile; readonly after: string | undefined};

/** The file of the hook of a program; undefined: it has no hook, or none in a project. */
export function hookFile({program: {hook}, scope, places}: Where): string | undefined {
	if (hook.kind === 'none') {
		return undefined;
	}

	if (scope === 'user') {
		return hook.userFile(places);
	}

	return hook.projectFile === undefined ? undefined : join(places.workingDirectory, hook.projectFile);
}

/** Our hook as it is now; undefined: there is none. Rejects with `program_settings` for a file that cannot be read. */
export async function readHook(where: Where): Promise<FoundHook | undefined> {
	const {program} = where;
	const {hook, name} = program;
	const path = hookFile(where);
	if (hook.kind === 'none' || path === undefined) {
		return undefined;
	}

	const file = await readProgramFile(path);
	if (hook.kind === 'plugin') {
		const words = pluginWords(file.text ?? '');
		return words && {file, words, isLongEnough: true, missing: [], handlers: []};
	}

	const settings = await parseSettings({...file, format: 'json'});
	const events = eventsOf(hook).map(event => ({event, handlers: ownHandlers(itemsAt(settings, hook, event), name)}));
	const found = events.flatMap(({handlers}) => handlers);
	const isLong = ({timeout}: JsonObject) => typeof timeout === 'number' && timeout >= hook.timeout;
	const [first] = found;
	return (
		first && {
			file,
			words: first.words,
			isLongEnough: found.every(({handler}) => isLong(handler)),
			missing: events.filter(({handlers}) => handlers.length === 0).map(({event}) => event),
			handlers: events.flatMap(({event, handlers}) =>
				handlers.map(({item, number}): FoundHook['handlers'][number] => [event, item, number]),
			),
		}
	);
}

/** The same, where a file that cannot be read has no hook of ours. */
export function findHook(where: Where): Promise<FoundHook | undefined> {
	return readHook(where).catch(() => undefined);
}

/** Works out the change that makes the hook with this command line ours, or takes ours out where it is undefined. Undefined: nothing is to be changed. Rejects with `program_settings`. */
export async function planHook(where: Where, words: readonly string[] | undefined): Promise<HookChange | undefined> {
	const {program} = where;
	const {hook} = program;
	const path = hookFile(where);
	if (hook.kind === 'none' || path === undefined) {
		return undefined;
	}

	const file = await readProgramFile(path);
	if (hook.kind === 'plugin') {
		return planPlugin(file, hook, words);
	}

	const settings = await parseSettings({...file, format: 'json'});
	const edits = words ? addEdits({file, settings, program, hook}, words) : removeEdits({file, settings, program, hook});
	return edits.length === 0 ? undefined : {kind: 'settings', file, edits};
}

function planPlugin(file: ProgramFile, hook: PluginHook, words: readonly string[] | undefined): HookChange | undefined {
	const {path, text} = file;
	const isOurs = text?.startsWith(pluginMark) ?? false;
	if (!words) {
		return isOurs ? {kind: 'plugin', file, after: undefined} : undefined;
	}

	if (text !== undefined && text.trim() !== '' && !isOurs) {
		throw new Problem('program_settings', {
			message: `${safeText(path)} is a plugin that Sluice has not written; nothing was changed`,
			remedy: 'Rename or remove it, and run the command again',
		});
	}

	const after = hook.text(words);
	return after === text ? undefined : {kind: 'plugin', file, after};
}

type Present = {
	readonly file: ProgramFile;
	readonly settings: JsonObject;
	readonly program: AgentProgram;
	readonly hook: SettingsHook;
};

function addEdits(present: Present, words: readonly string[]): readonly SettingsEdit[] {
	const {settings, hook} = present;
	const members = Object.entries(hook.members ?? {}).flatMap(([key, value]): SettingsEdit[] =>
		memberAt(settings, [key]) === undefined ? [{kind: 'set', path: [key], value}] : [],
	);
	const items = hook.items(words.map(shellWord).join(' ')).flatMap(([event, item]): SettingsEdit[] => {
		const own = ownItems(present, event);
		const [former] = own;
		const renewed = former && own.length === 1 ? renewedItem(former, item) : item;
		const path: SettingPath = [...hook.above, event];
		return own.length === 1 && isSameJson(former, renewed)
			? []
			: [
					...own.map((one): SettingsEdit => ({kind: 'remove item', path, item: one})),
					{kind: 'add item', path, item: renewed},
				];
	});
	return items.length === 0 ? [] : [...members, ...items];
}

function removeEdits(present: Present): readonly SettingsEdit[] {
	const {hook} = present;
	return eventsOf(hook).flatMap(event =>
		ownItems(present, event).map((item): SettingsEdit => ({kind: 'remove item', path: [...hook.above, event], item})),
	);
}

/** Our new item with what a person has changed in the former one, such as the tools it is for, and the longer time. */
function renewedItem(former: JsonObject, item: JsonObject): JsonObject {
	const [inner, formerInner] = [item['hooks'], former['hooks']];
	if (Array.isArray(inner) && Array.isArray(formerInner)) {
		const [[one], [formerOne]] = [inner, formerInner];
		const hooks = isJsonObject(one) && isJsonObject(formerOne) ? [renewedItem(formerOne, one)] : inner;
		return {...item, ...former, hooks};
	}

	const [time, formerTime] = [item['timeout'], former['timeout']];
	const timeout = typeof time === 'number' && typeof formerTime === 'number' ? Math.max(time, formerTime) : time;
	const {args: _, ...others} = former;
	return {
		...item,
		...others,
		...(item['command'] !== undefined && {command: item['command']}),
		...(timeout !== undefined && {timeout}),
	};
}

function eventsOf(hook: SettingsHook): readonly string[] {
	return hook.items('').map(([event]) => event);
}

function itemsAt(settings: JsonObject, {above}: SettingsHook, event: string): readonly JsonValue[] {
	const list = memberAt(settings, [...above, event]);
	return Array.isArray(list) ? list : [];
}

/** The items of an event that are ours. Throws `program_settings` for one that has our hook beside others. */
function ownItems({file, settings, program, hook}: Present, event: string): readonly JsonObject[] {
	return itemsAt(settings, hook, event).flatMap(item => {
		const own = ownHandlers([item], program.name);
		if (own.length > 0 && own.length < handlersOf(item).length) {
			throw new Problem('program_settings', {
				message: `${safeText(file.path)} has the hook of Sluice in one group with others, under ${event}; nothing was changed`,
				remedy: 'Move it into a group of its own, or take it out by hand',
			});
		}

		return own.length > 0 && isJsonObject(item) ? [item] : [];
	});
}

type OwnHandler = {
	readonly handler: JsonObject;
	readonly words: readonly string[];
	readonly item: number;
	readonly number: number;
};

function ownHandlers(items: readonly JsonValue[], name: AgentProgram['name']): readonly OwnHandler[] {
	return items.flatMap((one, item) =>
		handlersOf(one).flatMap((handler, number) => {
			const words = handlerWords(handler);
			const end = words.findIndex((word, index) => word === 'hook' && words[index + 1] === name);
			return end > 0 && isOwnProgram(words.slice(0, end)) ? [{handler, words, item, number}] : [];
		}),
	);
}

/** The handlers of a group, or the item as the only one. */
function handlersOf(item: JsonValue): readonly JsonObject[] {
	if (!isJsonObject(item)) {
		return [];
	}

	const {hooks} = item;
	return Array.isArray(hooks) ? hooks.filter(isJsonObject) : [item];
}

function handlerWords({command, args}: JsonObject): readonly string[] {
	const list = Array.isArray(args) ? args.filter(word => typeof word === 'string') : undefined;
	if (typeof command !== 'string') {
		return [];
	}

	try {
		return list ? [command, ...list] : shellWords(command);
	} catch {
		return [];
	}
}
