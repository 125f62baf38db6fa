import {type BackgroundColorName, type ForegroundColorName} from 'chalk';
import {type Tone} from '../../state/entities/status-text.ts';

/** A style of text, by its name in chalk. */
type Style = ForegroundColorName | BackgroundColorName | 'dim' | 'bold' | 'italic' | 'underline' | 'inverse';

/** The look of a tone: all its styles. */
export type TextStyle = readonly Style[];

/** The themes, in the order in which a key cycles through them. */
export const themeNames = ['dark', 'light', 'contrast', 'mono'] as const;

export type ThemeName = (typeof themeNames)[number];

type ThemeStyles = Readonly<Record<Tone, TextStyle>>;

const dark: ThemeStyles = {
	normal: [],
	dim: ['dim'],
	strong: ['bold'],
	good: ['green'],
	busy: ['yellow'],
	bad: ['red', 'bold'],
	notice: ['magenta', 'bold'],
	accent: ['cyan'],
	selected: ['inverse'],
	marked: ['yellow', 'underline'],
	sign: ['magenta'],
	code: ['whiteBright', 'bgBlack'],
	name: ['cyan'],
	string: ['green'],
	number: ['yellow'],
	added: ['green'],
	removed: ['red'],
	emphasis: ['italic'],
	link: ['underline'],
};

/** Yellow and cyan are unreadable on white. */
const light: ThemeStyles = {
	...dark,
	dim: ['gray'],
	busy: ['magenta'],
	notice: ['blue', 'bold'],
	accent: ['blue'],
	marked: ['red', 'underline'],
	name: ['blue'],
	number: ['magenta'],
};

/** Nothing is dimmed, and everything meaningful is bright and bold. */
const contrast: ThemeStyles = {
	...dark,
	dim: [],
	good: ['greenBright', 'bold'],
	busy: ['yellowBright', 'bold'],
	bad: ['redBright', 'bold', 'inverse'],
	notice: ['whiteBright', 'bold', 'inverse'],
	accent: ['cyanBright', 'bold'],
	marked: ['yellowBright', 'bold', 'underline'],
	sign: ['magentaBright', 'bold'],
	name: ['cyanBright', 'bold'],
	string: ['greenBright'],
	number: ['yellowBright'],
	added: ['greenBright', 'bold'],
	removed: ['redBright', 'bold'],
};

/** Only weight, underline and inversion. */
const mono: ThemeStyles = {
	normal: [],
	dim: ['dim'],
	strong: ['bold'],
	good: [],
	busy: [],
	bad: ['bold'],
	notice: ['bold'],
	accent: [],
	selected: ['inverse'],
	marked: ['underline'],
	sign: ['dim'],
	code: [],
	name: [],
	string: [],
	number: [],
	added: [],
	removed: [],
	emphasis: ['underline'],
	link: ['underline'],
};

/** The look of every tone in a theme, in the terminal's own sixteen colours. */
export const themes: Readonly<Record<ThemeName, ThemeStyles>> = {dark, light, contrast, mono};
