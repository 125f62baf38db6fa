import {safeText} from '../../util/safe-text.ts';

/** One row of `doctor --json` (docs/json.md, Log lines). Texts are safe to show. */
export type Finding = {
	/** The subject of the check: `config`, `server files`, `route pulls`. */
	readonly check: string;
	readonly level: 'ok' | 'warning' | 'error';
	readonly message: string;
	/** The remedy, to be followed as written: a command, a key with its file and line, a file. */
	readonly remedy: string | null;
};

/** Something that is as it should be. */
export function fine(check: string, message: string): Finding {
	return {check: safeText(check), level: 'ok', message: safeText(message), remedy: null};
}

/** Something that is not, and what to do about it. */
export function trouble(
	check: string,
	level: 'warning' | 'error',
	{message, remedy}: {readonly message: string; readonly remedy: string},
): Finding {
	return {check: safeText(check), level, message: safeText(message), remedy: safeText(remedy)};
}
