import {type ScriptSettings} from './script.ts';

/** What the routes of a profile need of it. */
export type ProfileFiles = {
	/** Where relative `in_file` paths begin. */
	readonly directory: string;
	readonly scripts: ScriptSettings;
};
