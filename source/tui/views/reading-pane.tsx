import {Box} from 'ink';
import {type JSX} from 'react';
import {Pane} from '../components/pane.tsx';
import {RunningCall} from '../components/running-call.tsx';
import {StatusLines} from '../components/status-lines.tsx';
import {manualCallUnderWay, pageUnderWay, readingTitle, shownText} from '../pages/shown-text.ts';
import {tracePage} from '../pages/trace-page.ts';
import {columnRoot, isReadMode, isSearchable, type Mode, type TraceMode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {minutesText} from '../text/duration-text.ts';
import {layoutName} from '../text/layout.ts';
import {type Line, span} from '../text/span.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {foundText, withHit} from '../text/search-hits.ts';

/** A text open for reading, in lines, and how many of them are on the screen at once below its title. */
export type ReadingText = {
	readonly lines: readonly Line[];
	readonly rows: number;
	/** True if there is nothing to scroll. */
	readonly fits: boolean;
	/** The line below it about pending work. */
	readonly moving: ReturnType<typeof pageUnderWay>;
};

/** Lays out the text that is open in a body of this height. */
export function readingText({ui, snapshot, readOnly, ownKeys, now}: Screen, height: number): ReadingText {
	const moving = pageUnderWay(ui, snapshot);
	const rows = height - (moving ? 2 : 1);
	const lines = shownText(ui, {snapshot, readOnly, ownKeys}, now);
	return {lines, rows, fits: lines.length <= rows, moving};
}

type ReadingPaneProps = {
	readonly screen: Screen;
	readonly height: number;
	/** The text, where it is laid out already. */
	readonly text?: ReadingText | undefined;
	/** `elsewhere` beside a list to which the keys belong. */
	readonly keys?: KeysPlace;
};

/** A text open for reading, at its scroll position. */
export function ReadingPane({screen, height, text, keys = 'here'}: ReadingPaneProps): JSX.Element {
	const {ui, snapshot, now, size} = screen;
	const {lines, rows, fits, moving} = text ?? readingText(screen, height);
	const scroll = Math.min(isReadMode(ui.mode) ? ui.mode.scroll : 0, Math.max(0, lines.length - rows));
	const end = Math.min(lines.length, scroll + rows);
	const isShort = layoutName(size) === 'narrow';
	const place = isShort
		? uiText` · ${scroll + 1}–${end} of ${lines.length}`
		: uiText` · lines ${scroll + 1}–${end} of ${lines.length}`;
	const found = isSearchable(ui.mode) ? ui.mode.found : undefined;
	const title = [
		`${titleOf(screen, {wording: isShort ? 'short' : 'full', keys})}${fits ? '' : place}`,
		found ? foundText(found) : '',
	]
		.filter(Boolean)
		.join(uiText` · `);
	const underWay = manualCallUnderWay(ui, snapshot);
	const width = size.columns;
	return underWay ? (
		<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
			<Pane title={title} active lines={lines} width={width} height={lines.length + 1} />
			<RunningCall call={underWay.call} width={width} now={now} />
		</Box>
	) : (
		<Box flexDirection="column" width={width} height={height} flexShrink={0}>
			<Pane
				title={title}
				active={keys === 'here'}
				lines={withHit(lines.slice(scroll, scroll + rows), scroll, found)}
				width={width}
				height={rows + 1}
			/>
			{moving ? <UnderWay moving={moving} screen={screen} /> : null}
		</Box>
	);
}

type KeysPlace = 'here' | 'elsewhere';

function titleOf(
	{ui, snapshot, size}: Screen,
	{wording, keys}: {readonly wording: 'short' | 'full'; readonly keys: KeysPlace},
): string {
	return size.part === 'column' && columnRoot(ui.mode) === ui.mode
		? columnTitle(ui.mode, keys)
		: readingTitle(ui, snapshot, wording);
}

/** The title of a row beside its list, with the keys to and from there. */
export function columnTitle({kind}: Mode, keys: KeysPlace): string {
	const leave = keys === 'here' ? 'left goes back' : 'right scrolls it';
	return kind === 'trace' && keys === 'here'
		? uiText`selected · ${leave}`
		: uiText`selected · ${leave}, enter opens it in full`;
}

type TracePaneProps = Pick<ReadingPaneProps, 'screen' | 'height' | 'keys'> & {readonly mode: TraceMode};

/** A trace, and what is under way in it. */
export function TracePane({screen, mode, height, keys = 'here'}: TracePaneProps): JSX.Element {
	const width = screen.size.columns;
	const moving = pageUnderWay(screen.ui, screen.snapshot);
	const room = moving ? height - 1 : height;
	const page = tracePage(mode, screen, room - 1, keys === 'here' ? 'shown' : 'hidden');
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0}>
			<Pane {...page} active={keys === 'here'} width={width} height={room} />
			{moving ? <UnderWay moving={moving} screen={screen} /> : null}
		</Box>
	);
}

type UnderWayProps = {
	readonly moving: NonNullable<ReturnType<typeof pageUnderWay>>;
	readonly screen: Pick<Screen, 'now' | 'size'>;
};

/** Pending work, and its duration so far. */
function UnderWay({moving: {words, since}, screen: {now, size}}: UnderWayProps): JSX.Element {
	const line = [span(words, 'busy'), span(` ${minutesText(now - since)}`, 'dim')];
	return <StatusLines lines={[line]} variant="under-way" width={size.columns} />;
}
