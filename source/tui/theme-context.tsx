import {createContext, useContext, useMemo} from 'react';
import {type Look, themeLooks, type ThemeName, type Tone} from './theme.ts';

/** How things look on this terminal. */
export type Theme = {readonly looks: Readonly<Record<Tone, Look>>; readonly ascii: boolean};

const ThemeContext = createContext<Theme>({looks: themeLooks.mono, ascii: false});

/** Hands the theme to everything below it. */
export const ThemeProvider = ThemeContext.Provider;

/** The theme of the window. */
export function useTheme(): Theme {
	return useContext(ThemeContext);
}

/** The theme that is handed down; the same object as long as nothing about it changes. */
export function useWindowTheme(name: ThemeName, ascii: boolean): Theme {
	return useMemo(() => ({looks: themeLooks[name], ascii}), [name, ascii]);
}
