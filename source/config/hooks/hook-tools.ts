import {fnmatch} from '../../util/fnmatch.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {type HookProgramName} from '../programs/program-names.ts';
import {type GuardedKind} from './hook-call.ts';
import {hookPrograms} from './hook-programs.ts';

const prefix = 'hook:';

/** The argument that holds the folder of the program. It is one name, not a path of members. */
export const folderArgument = 'hook.cwd';

/** The server that the tools of a program have in rules, on cards and in the journal. */
export function hookServer(program: HookProgramName): string {
	return `${prefix}${program}`;
}

/** True for the server of a program's own tools, whichever program it is. */
export function isHookServer(server: string): boolean {
	return server.startsWith(prefix);
}

/** The kind of a tool of a program that always asks; undefined for any other tool. */
export function guardedKind(server: string, tool: string): GuardedKind | undefined {
	return guardedTools.find(one => one.server === server && one.tool === tool)?.kind;
}

type GuardedTool = {
	readonly server: string;
	readonly tool: string;
	readonly kind: GuardedKind;
	/** The argument that holds the command of a shell tool. */
	readonly commandArgument: string;
};

const guardedTools: readonly GuardedTool[] = Object.values(hookPrograms).flatMap(({name, tools, commandArgument}) =>
	Object.entries(tools).flatMap(([kind, names]) =>
		names.map(tool => ({server: hookServer(name), tool, kind: kind as GuardedKind, commandArgument})),
	),
);

/** The guarded tools that a rule may be for. */
export function guardedToolsOf({
	server,
	tool,
}: {
	readonly server: string;
	readonly tool: string;
}): readonly GuardedTool[] {
	return guardedTools.filter(one => fnmatch(one.server, server) && fnmatch(one.tool, tool));
}

/** The input schema of every tool of a program, as far as it is known: only the folder may be missing. */
export const hookInputSchema: JsonObject = {type: 'object', properties: {[folderArgument]: {type: 'string'}}};
