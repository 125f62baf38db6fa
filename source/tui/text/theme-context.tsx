import {createContext, useContext, useMemo} from 'react';
import {brushesOf, type Theme} from './paint.ts';
import {type ThemeName} from './theme.ts';

const ThemeContext = createContext<Theme>({brushes: brushesOf('mono'), ascii: false});

/** Hands the theme to everything below it. */
export const ThemeProvider = ThemeContext.Provider;

/** The theme of the window. */
export function useTheme(): Theme {
	return useContext(ThemeContext);
}

/** The theme that is handed down; the same object as long as nothing about it changes. */
export function useDashboardTheme(name: ThemeName, ascii: boolean): Theme {
	return useMemo(() => ({brushes: brushesOf(name), ascii}), [name, ascii]);
}
