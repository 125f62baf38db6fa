import {defaultTheme, extendTheme, ThemeProvider as InkUiThemeProvider} from '@inkjs/ui';
import {type TextProps} from 'ink';
import {type JSX, type ReactNode, useMemo} from 'react';
import {ThemeProvider, useDashboardTheme} from '../text/line-text.tsx';
import {drawUiGlyphs} from '../../util/characters/ui-glyphs.ts';
import {callText, glyphs, logText, type Tone} from '../../state/entities/status-text.ts';
import {type ThemeName, themes} from '../text/theme.ts';

type DashboardThemeProps = {
	readonly name: ThemeName;
	readonly ascii: boolean;
	/** On: the terminal makes links of our addresses; default: off. */
	readonly links?: 'on' | 'off';
	readonly children: ReactNode;
};

/** Provides a theme to everything below it: our own lines, and the components of @inkjs/ui, with the same colours and glyphs. */
export function DashboardTheme({name, ascii, links = 'off', children}: DashboardThemeProps): JSX.Element {
	const theme = useDashboardTheme(name, {ascii, links});
	const inkUiTheme = useMemo(() => inkUiThemeOf(name, ascii), [name, ascii]);
	return (
		<ThemeProvider value={theme}>
			<InkUiThemeProvider theme={inkUiTheme}>{children}</InkUiThemeProvider>
		</ThemeProvider>
	);
}

/** The look of a status of @inkjs/ui; its text is styled by the caller. */
const statusLabels = {
	success: callText.ok,
	error: callText.failed,
	warning: logText.warning,
	info: logText.info,
} as const;

/** The variants of a `StatusMessage`. */
export type StatusVariant = keyof typeof statusLabels;

/** The theme for the components that the dashboard uses. */
function inkUiThemeOf(name: ThemeName, ascii: boolean): typeof defaultTheme {
	const style = (tone: Tone) => () => textProps(name, tone);
	const glyph = (text: string) => drawUiGlyphs(text, ascii ? 'ascii' : 'unicode');
	return extendTheme(defaultTheme, {
		components: {
			Spinner: {styles: {frame: style('busy'), label: style('busy')}},
			ProgressBar: {
				styles: {completed: style('normal'), remaining: style('dim')},
				config: () => ({
					completedCharacter: glyph(glyphs.full),
					remainingCharacter: glyph(glyphs.rule),
				}),
			},
			StatusMessage: {
				styles: {icon: ({variant}: {variant: StatusVariant}) => textProps(name, statusLabels[variant].tone)},
				config: ({variant}: {variant: StatusVariant}) => ({icon: glyph(statusLabels[variant].glyph)}),
			},
		},
	});
}

/** A tone as props of Ink's `Text`. */
function textProps(name: ThemeName, tone: Tone): TextProps {
	const props: Record<string, string | boolean> = {};
	for (const style of themes[name][tone]) {
		if (style === 'dim') {
			props['dimColor'] = true;
		} else if (style === 'bold' || style === 'italic' || style === 'underline' || style === 'inverse') {
			props[style] = true;
		} else {
			props['color'] = style;
		}
	}

	return props;
}
