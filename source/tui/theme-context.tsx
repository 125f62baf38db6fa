import {createContext, useContext} from 'react';
import {type Look, looks, type Tone} from './status-words.ts';

/** How things look on this terminal. */
export type Theme = {readonly looks: Readonly<Record<Tone, Look>>; readonly ascii: boolean};

const ThemeContext = createContext<Theme>({looks: looks(true), ascii: false});

/** Hands the theme to everything below it. */
export const ThemeProvider = ThemeContext.Provider;

/** The theme of the window. */
export function useTheme(): Theme {
	return useContext(ThemeContext);
}
