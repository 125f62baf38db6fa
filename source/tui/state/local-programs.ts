import {type ViewName} from '../lists/view-table.ts';

/** An entry of a profile's config.yaml, or a job. `name` is the id of a rule or a job. */
export type ConfigEntry = {
	readonly kind: 'server' | 'route' | 'platform' | 'rule' | 'job';
	readonly name: string;
	readonly profile: string;
};

/** The text that an editor left. Every text is safe to show. */
export type EntryEdit =
	/** It is not there, cannot be written, or no editor ran: there is nothing to go on with. */
	| {readonly kind: 'refused'; readonly reason: string}
	| {readonly kind: 'unchanged'}
	/** Errors with their places, one each; the editor opens again at the first. */
	| {readonly kind: 'broken'; readonly errors: readonly string[]}
	/** Changed lines have `+` or `-` in front. */
	| {readonly kind: 'valid'; readonly difference: string; readonly notes: readonly string[]}
	/** It was valid and cannot be written; the text stays at `path`. */
	| {readonly kind: 'unwritten'; readonly reason: string; readonly path: string}
	| {readonly kind: 'written'};

/** A key of a person's own, and the command behind it (docs/editor-and-own-keys.md, Own keys). `view`: where it acts; absent: in every view. */
export type OwnKey = {
	readonly key: string;
	readonly title: string;
	readonly command: readonly [string, ...string[]];
	readonly view?: ViewName;
};

/** The names of the picked row that a command can have as words of their own: `{id}`. */
export const placeholders = ['id', 'server', 'route'] as const;

export type Placeholder = (typeof placeholders)[number];

/** The name that a word stands for. */
export function placeholderOf(word: string): Placeholder | undefined {
	return placeholders.find(name => word === `{${name}}`);
}

/** The end of a command. Every text is safe to show. */
export type CommandEnd = {
	/** `done`: with code 0. */
	readonly outcome: 'done' | 'failed';
	/** The end in words. */
	readonly words: string;
	readonly output: string;
	readonly errors: string;
};

/** Programs that the process of this dashboard runs itself, with its own rights. Nothing here rejects. */
export type LocalPrograms = {
	readonly keys: readonly OwnKey[];
	/** Opens the editor at an entry; the terminal is the editor's until it ends. */
	readonly edit: (entry: ConfigEntry) => Promise<EntryEdit>;
	/** The same with the text that it left. */
	readonly editAgain: () => Promise<EntryEdit>;
	/** Writes a text that was valid, unless the file has changed meanwhile. */
	readonly write: () => Promise<EntryEdit>;
	/** Removes a text that was not written. */
	readonly discard: () => void;
	/** Runs a command without a terminal. */
	readonly run: (command: OwnKey['command'], signal: AbortSignal) => Promise<CommandEnd>;
};

/** Something that the dashboard wants of these programs. */
export type ProgramAct =
	| {readonly do: 'edit'; readonly entry: ConfigEntry}
	| {readonly do: 'edit-again' | 'write' | 'discard' | 'end-command'}
	| {readonly do: 'run'; readonly command: OwnKey['command']};
