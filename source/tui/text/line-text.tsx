import {type Tone} from '../../state/entities/status-text.ts';
import chalk from 'chalk';
import {Box, Text, Transform, useIsScreenReaderEnabled} from 'ink';
import {createContext, type JSX, memo, type ReactNode, useContext, useMemo} from 'react';
import {drawUiGlyphs} from '../../util/characters/ui-glyphs.ts';
import {withoutBars} from './rate-text.ts';
import {useDrawnRows} from './drawn-rows.ts';
import {cutLine, type Line} from './span.ts';
import {type TextStyle, type ThemeName, themes} from './theme.ts';

type LinesTextProps = {readonly lines: readonly Line[]; readonly width: number; readonly height: number};

/**
A block of exactly `height` rows: the lines that fit, then blank rows. Ink lays out a blank for each row, the same in every frame, and gets the
painted rows when it writes them: measuring and laying out rows already cut to their width would cost more than the rest of the frame.
*/
export function LinesText({lines, width, height}: LinesTextProps): JSX.Element {
	const theme = useTheme();
	const isReadAloud = useIsScreenReaderEnabled();
	const element = useDrawnRows(lines);
	const rows = lines.slice(0, height).map(line => paintedRow(line, width, theme));
	return (
		<Box ref={element} width={width} height={height} flexShrink={0}>
			<Transform
				transform={(_, row) => rows[row] ?? ''}
				{...(isReadAloud && {accessibilityLabel: withoutBars(rows.join('\n'))})}
			>
				<BlankRows count={height} />
			</Transform>
		</Box>
	);
}

const BlankRows = memo(({count}: {readonly count: number}) => <Text>{Array<string>(count).fill(' ').join('\n')}</Text>);

const paintedRows = new WeakMap<Line, {readonly width: number; readonly theme: Theme; readonly row: string}>();

/** The line with its styles, rendered once per width and theme. */
function paintedRow(line: Line, width: number, theme: Theme): string {
	const known = paintedRows.get(line);
	if (known?.width === width && known.theme === theme) {
		return known.row;
	}

	const row = paintLine(cutLine(line, width), theme);
	paintedRows.set(line, {width, theme, row});
	return row;
}

/** One line of the screen: exactly one row, never wider than `width`. It may be part of another text. */
export function LineText({line, width}: {readonly line: Line; readonly width: number}): JSX.Element {
	const theme = useTheme();
	// An empty text would not take up a row.
	return <Text wrap="truncate-end">{paintedRow(line, width, theme) || ' '}</Text>;
}

/** Writes a text in the style of its tone. */
type Brush = (text: string) => string;

/** Brushes and glyphs of this terminal. */
type Theme = {
	readonly brushes: ReadonlyMap<Tone, Brush>;
	readonly ascii: boolean;
	/** On: addresses are links of the terminal (OSC 8); default: off. */
	readonly links?: 'on' | 'off';
};

/** The brushes of a theme, one for each tone. */
export function brushesOf(name: ThemeName): Theme['brushes'] {
	const styles = Object.entries(themes[name]) as ReadonlyArray<readonly [Tone, TextStyle]>;
	return new Map(styles.map(([tone, style]) => [tone, style.reduce((brush, style) => brush[style], chalk)]));
}

/** Characters that a terminal would act on. Ink removes them from texts, but not from painted rows. */
const anyControl = /\p{Cc}/gu;

/** The line as one styled text; neighbouring pieces of the same tone are joined. */
export function paintLine(line: Line, {brushes, ascii, links = 'off'}: Theme): string {
	const charset = ascii ? 'ascii' : 'unicode';
	let painted = '';
	for (let index = 0; index < line.length; ) {
		const {tone = 'normal', link} = line[index] ?? {};
		let text = '';
		for (; line[index]?.tone === tone && line[index]?.link === link; index++) {
			text += line[index]?.text ?? '';
		}

		const drawn = drawUiGlyphs(text, charset).replaceAll(anyControl, '');
		const styled = brushes.get(tone)?.(drawn) ?? drawn;
		painted += link !== undefined && links === 'on' ? linkSequence(link, styled) : styled;
	}

	return painted;
}

/** A link of the terminal (OSC 8, gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda). */
function linkSequence(address: string, text: string): string {
	return `\u001B]8;;${address}\u001B\\${text}\u001B]8;;\u001B\\`;
}

const ThemeContext = createContext<Theme>({brushes: brushesOf('mono'), ascii: false});

/** Provides the theme to everything below it. */
export const ThemeProvider = ThemeContext.Provider;

/** The theme of the dashboard. */
function useTheme(): Theme {
	return useContext(ThemeContext);
}

/** Draws outdated content: everything in the dim tone; the picked row remains visible. */
export function Dimmed({children}: {readonly children: ReactNode}): JSX.Element {
	const theme = useTheme();
	const dimmed = useMemo(() => {
		const dim = theme.brushes.get('dim');
		const dimBrush = (tone: Tone, brush: Brush) => (tone === 'selected' ? brush : (dim ?? brush));
		return {...theme, brushes: new Map([...theme.brushes].map(([tone, brush]) => [tone, dimBrush(tone, brush)]))};
	}, [theme]);
	return <ThemeProvider value={dimmed}>{children}</ThemeProvider>;
}

/** The provided theme; the same object until something about it changes. */
export function useDashboardTheme(name: ThemeName, {ascii, links = 'off'}: Pick<Theme, 'ascii' | 'links'>): Theme {
	return useMemo(() => ({brushes: brushesOf(name), ascii, links}), [name, ascii, links]);
}
