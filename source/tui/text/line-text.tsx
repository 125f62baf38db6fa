import chalk from 'chalk';
import {Box, Text} from 'ink';
import {createContext, type JSX, useContext, useMemo} from 'react';
import {drawOwnGlyphs} from './own-glyphs.ts';
import {cutLine, type Line} from './span.ts';
import {type TextStyle, type ThemeName, themes, type Tone} from './theme.ts';

/** One line of the screen: exactly one row, never wider than `width`. */
export function LineText({line, width}: {readonly line: Line; readonly width: number}): JSX.Element {
	const theme = useTheme();
	// An empty text would take no row.
	return <Text wrap="truncate-end">{paintLine(cutLine(line, width), theme) || ' '}</Text>;
}

type LinesTextProps = {readonly lines: readonly Line[]; readonly width: number; readonly height: number};

/** A block of exactly `height` rows: the lines that fit, then blank rows. One text: an element for every row would cost more than the rows. */
export function LinesText({lines, width, height}: LinesTextProps): JSX.Element {
	const theme = useTheme();
	const painted = lines.slice(0, height).map(line => paintLine(cutLine(line, width), theme));
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0}>
			<Text wrap="truncate-end">{painted.join('\n')}</Text>
		</Box>
	);
}

/** Writes a text in the style of its tone. */
type Brush = (text: string) => string;

/** How texts are written on this terminal. */
type Theme = {readonly brushes: ReadonlyMap<Tone, Brush>; readonly ascii: boolean};

/** The brushes of a theme, one for each tone. */
export function brushesOf(name: ThemeName): Theme['brushes'] {
	const styles = Object.entries(themes[name]) as ReadonlyArray<readonly [Tone, TextStyle]>;
	return new Map(styles.map(([tone, style]) => [tone, style.reduce((brush, style) => brush[style], chalk)]));
}

/**
The line as one text with its styles in it. An element for every piece of the line would cost more than all the rest of a frame;
neighbours of one tone are written as one, as Ink writes them, so that it recognises the line.
*/
export function paintLine(line: Line, {brushes, ascii}: Theme): string {
	const charset = ascii ? 'ascii' : 'unicode';
	let painted = '';
	for (let index = 0; index < line.length; ) {
		const tone = line[index]?.tone ?? 'normal';
		let text = '';
		for (; line[index]?.tone === tone; index++) {
			text += line[index]?.text ?? '';
		}

		const drawn = drawOwnGlyphs(text, charset);
		painted += brushes.get(tone)?.(drawn) ?? drawn;
	}

	return painted;
}

const ThemeContext = createContext<Theme>({brushes: brushesOf('mono'), ascii: false});

/** Hands the theme to everything below it. */
export const ThemeProvider = ThemeContext.Provider;

/** The theme of the dashboard. */
function useTheme(): Theme {
	return useContext(ThemeContext);
}

/** The theme that is handed down; the same object as long as nothing about it changes. */
export function useDashboardTheme(name: ThemeName, ascii: boolean): Theme {
	return useMemo(() => ({brushes: brushesOf(name), ascii}), [name, ascii]);
}
