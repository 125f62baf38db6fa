/** What a piece of text means to the reader. `code` is for signs that a camera reads. */
export type Tone =
	| 'normal'
	| 'dim'
	| 'strong'
	| 'good'
	| 'busy'
	| 'bad'
	| 'notice'
	| 'accent'
	| 'selected'
	| 'marked'
	| 'code';

/** How a tone looks: attributes of Ink's Text. */
export type Look = {
	readonly color?: string;
	readonly backgroundColor?: string;
	readonly dimColor?: boolean;
	readonly bold?: boolean;
	readonly inverse?: boolean;
	readonly underline?: boolean;
};

/** The themes, in the order in which a key goes through them. */
export const themeNames = ['dark', 'light', 'contrast', 'mono'] as const;

export type ThemeName = (typeof themeNames)[number];

type Looks = Readonly<Record<Tone, Look>>;

const dark: Looks = {
	normal: {},
	dim: {dimColor: true},
	strong: {bold: true},
	good: {color: 'green'},
	busy: {color: 'yellow'},
	bad: {color: 'red', bold: true},
	notice: {color: 'magenta', bold: true},
	accent: {color: 'cyan'},
	selected: {inverse: true},
	marked: {color: 'yellow', underline: true},
	code: {color: 'whiteBright', backgroundColor: 'black'},
};

/** Yellow and cyan cannot be read on white. */
const light: Looks = {
	...dark,
	dim: {color: 'gray'},
	busy: {color: 'magenta'},
	notice: {color: 'blue', bold: true},
	accent: {color: 'blue'},
	marked: {color: 'red', underline: true},
};

/** Nothing is dimmed, everything that means something is bright and bold. */
const contrast: Looks = {
	...dark,
	dim: {},
	good: {color: 'greenBright', bold: true},
	busy: {color: 'yellowBright', bold: true},
	bad: {color: 'redBright', bold: true, inverse: true},
	notice: {color: 'whiteBright', bold: true, inverse: true},
	accent: {color: 'cyanBright', bold: true},
	marked: {color: 'yellowBright', bold: true, underline: true},
};

/** Only weight, underline and inversion are left. */
const mono: Looks = {
	normal: {},
	dim: {dimColor: true},
	strong: {bold: true},
	good: {},
	busy: {},
	bad: {bold: true},
	notice: {bold: true},
	accent: {},
	selected: {inverse: true},
	marked: {underline: true},
	code: {},
};

/** How every tone looks in a theme: the sixteen colours of the terminal, as its owner set them. */
export const themeLooks: Readonly<Record<ThemeName, Looks>> = {dark, light, contrast, mono};
