import {safeText} from '../../util/safe-text.ts';

/** The keys and list positions from the root of a file to a value. */
export type KeyPath = ReadonlyArray<string | number>;

/** A key path as people read it: `mcp_servers.github.args[1]`; names that are not plain words are quoted. */
export function keyPathText(path: KeyPath): string {
	return path.map(keyText).join('').replace(/^\./u, '');
}

function keyText(key: string | number): string {
	if (typeof key === 'number') {
		return `[${key}]`;
	}

	return /^[\w-]+$/u.test(key) ? `.${key}` : `.${JSON.stringify(safeText(key, {maximumCharacters: longestShownKey}))}`;
}

const longestShownKey = 100;
