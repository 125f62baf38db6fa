import chalk from 'chalk';
import {type Line} from './span.ts';
import {drawOwnSigns} from './own-signs.ts';
import {type TextStyle, themes, type ThemeName, type Tone} from './theme.ts';

/** Writes a text as its tone looks. */
type Brush = (text: string) => string;

/** How everything is written on this terminal. */
export type Theme = {readonly brushes: ReadonlyMap<Tone, Brush>; readonly ascii: boolean};

/** The brushes of a theme, one for each tone. */
export function brushesOf(name: ThemeName): Theme['brushes'] {
	const styles = Object.entries(themes[name]) as ReadonlyArray<readonly [Tone, TextStyle]>;
	return new Map(styles.map(([tone, style]) => [tone, style.reduce((brush, style) => brush[style], chalk)]));
}

/**
The line as one text with its styles in it. A piece of the tree for every piece of the line would cost more than all the rest of a frame;
neighbours of one tone are written as one, as Ink writes them, so that it knows the line again.
*/
export function paintLine(line: Line, {brushes, ascii}: Theme): string {
	const way = ascii ? 'ascii' : 'unicode';
	let painted = '';
	for (let index = 0; index < line.length; ) {
		const tone = line[index]?.tone ?? 'normal';
		let text = '';
		for (; line[index]?.tone === tone; index++) {
			text += line[index]?.text ?? '';
		}

		const drawn = drawOwnSigns(text, way);
		painted += brushes.get(tone)?.(drawn) ?? drawn;
	}

	return painted;
}
