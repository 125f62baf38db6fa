import {existsSync, readFileSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import {isJsonObject, ownMember, parseJson} from '../../util/json-text.ts';
import {errorText} from '../../util/problem.ts';
import {type ThemeName, themeNames} from '../../tui/text/theme.ts';

/** What a window keeps for the next one, in `ui.json` (docs/configuration.md, State directory). */
export type UiPreferences = {
	readonly theme: () => ThemeName | undefined;
	readonly saveTheme: (theme: ThemeName) => void;
};

/**
Opens the memory. Reading is plain, because the first frame waits for it and a file that cannot be read only costs a theme;
writing goes the way of every small file, atomic and loaded on demand.
*/
export function createUiPreferences(path: string, report: (text: string) => void): UiPreferences {
	return {
		theme: () => themeIn(path),
		saveTheme: theme =>
			void keep(path, theme).catch((error: unknown) => report(`the theme was not kept: ${errorText(error)}`)),
	};
}

function themeIn(path: string): ThemeName | undefined {
	const value = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
	const name = isJsonObject(value) ? ownMember(value, 'theme') : undefined;
	return themeNames.find(theme => theme === name);
}

async function keep(path: string, theme: ThemeName): Promise<void> {
	const {createJsonStore} = await import('../../config/values/json-store.ts');
	const {z} = await import('zod');
	const store = createJsonStore({
		directory: dirname(path),
		name: basename(path, '.json'),
		schema: z.object({theme: z.string().default('dark')}),
		fallback: {theme: 'dark'},
	});
	store.write({theme});
}
