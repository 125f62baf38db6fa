import {Box} from 'ink';
import {type JSX, type ReactNode} from 'react';
import {Pane} from '../components/pane.tsx';
import {type PaletteRow, paletteRows, pickedCommand} from '../input/palette-rows.ts';
import {type Mode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {layoutName} from '../text/layout.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, type Line, lineWithEnd, pickedLine, span} from '../text/span.ts';
import {textWidth} from '../text/text-width.ts';

type PalettePaneProps = {
	readonly screen: Screen;
	readonly mode: Extract<Mode, {kind: 'palette'}>;
	readonly height: number;
	/** The screen that the palette was opened on, at full height; the rows that fit above the commands are drawn. */
	readonly children: ReactNode;
};

/** The commands that fit what was typed, next to the line it is typed in. */
export function PalettePane({screen, mode, height, children}: PalettePaneProps): JSX.Element {
	const {ui, size} = screen;
	const rows = paletteRows(mode, ui, screen);
	const picked = pickedCommand(mode, ui, screen);
	const room = layoutName(size) === 'narrow' ? height : Math.ceil(height / 2);
	const taken = Math.min(room, rows.length + 1);
	const top = firstShown(picked ? rows.indexOf(picked) : 0, rows.length, taken - 1);
	const lines = rows
		.slice(top, top + taken - 1)
		.map(row => rowLine(row, {isPicked: row === picked, width: size.columns}));
	return (
		<Box flexDirection="column" height={height} flexShrink={0}>
			<Box height={height - taken} flexShrink={0} overflow="hidden">
				{children}
			</Box>
			<Pane title={title(rows, mode)} active lines={lines} width={size.columns} height={taken} />
		</Box>
	);
}

function title(rows: readonly PaletteRow[], {field}: PalettePaneProps['mode']): string {
	const count = rows.length === 0 ? 'nothing fits' : String(rows.length);
	return field.value === ''
		? uiText`Commands · ${count} · type, or choose with the arrows`
		: uiText`Commands · ${count}`;
}

/** The picked row stays in the middle where it can. */
function firstShown(index: number, count: number, height: number): number {
	return Math.min(Math.max(0, count - height), Math.max(0, index - Math.floor(height / 2)));
}

/** The cells of a command are a third of the line, or what it needs where that is less than half. */
function rowLine(
	{command, words, key = ''}: PaletteRow,
	{isPicked, width}: {readonly isPicked: boolean; readonly width: number},
): Line {
	const needed = Math.min(textWidth(command) + 2, Math.floor(width / 2));
	const line = lineWithEnd(
		[
			span(isPicked ? '> ' : '  ', 'accent'),
			cell(command, Math.max(Math.floor(width / 3), needed), 'strong'),
			span(words, 'dim'),
		],
		key === '' ? [] : [span(` ${key} `, 'accent')],
		width,
	);
	return isPicked ? pickedLine(line, width) : line;
}
