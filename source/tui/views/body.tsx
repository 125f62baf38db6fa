import {Box} from 'ink';
import {type JSX} from 'react';
import {callRuleLines} from '../approval/rule-page.ts';
import {ReviewOverlay} from '../approval/review-overlay.tsx';
import {AddServerForm} from '../components/add-server-form.tsx';
import {FormPane} from '../components/form-pane.tsx';
import {Pane} from '../components/pane.tsx';
import {RunningCall} from '../components/running-call.tsx';
import {StatusLines} from '../components/status-lines.tsx';
import {manualCallUnderWay, pageUnderWay, readingTitle, shownText} from '../pages/shown-text.ts';
import {tracePage} from '../pages/trace-page.ts';
import {isReadMode, isSearchable, type Mode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {LinesText} from '../text/line-text.tsx';
import {minutesText} from '../text/duration-text.ts';
import {layoutName} from '../text/layout.ts';
import {type Line, span} from '../text/span.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {foundText, withHit} from '../text/search-hits.ts';
import {NotedList, SelectedPane} from './picked-note.tsx';
import {Overview} from './overview.tsx';
import {PalettePane} from './palette-pane.tsx';

type BodyProps = {
	readonly screen: Screen;
	readonly height: number;
	/** The text that is open for reading, where it is laid out already. */
	readonly text?: ReadingText | undefined;
};

/** Everything between the header and the last line. */
export function Body({screen, height, text}: BodyProps): JSX.Element {
	const mode = shownMode(screen.ui.mode);
	switch (mode.kind) {
		case 'review':
			return <ReviewOverlay screen={screen} review={mode} height={height} />;
		case 'deny-message':
			return <ReviewOverlay screen={screen} review={mode.review} height={height} />;
		case 'call-rule':
			return <LinesText lines={callRuleLines(mode, screen)} width={screen.size.columns} height={height} />;
		case 'add-server':
			return <AddServerForm mode={mode} width={screen.size.columns} height={height} />;
		case 'form':
		case 'form-text':
			return <FormPane screen={screen} mode={mode} height={height} />;
		case 'detail':
		case 'help':
		case 'faults':
		case 'page':
		case 'proposal':
		case 'settled':
		case 'login':
		case 'manual-call':
			return <ReadingPane screen={{...screen, ui: {...screen.ui, mode}}} height={height} text={text} />;
		case 'trace': {
			const width = screen.size.columns;
			const moving = pageUnderWay(screen.ui, screen.snapshot);
			const room = moving ? height - 1 : height;
			return (
				<Box flexDirection="column" width={width} height={height} flexShrink={0}>
					<Pane {...tracePage(mode, screen, room - 1)} active width={width} height={room} />
					{moving ? <UnderWay moving={moving} screen={screen} /> : null}
				</Box>
			);
		}

		case 'palette':
			return (
				<PalettePane screen={screen} mode={mode} height={height}>
					<Body screen={{...screen, ui: {...screen.ui, mode: mode.behind}}} height={height} />
				</PalettePane>
			);
		case 'browse':
		case 'filter':
		case 'confirm':
		case 'copy':
		case 'prompt':
			return screen.ui.view === 'overview' ? (
				<Overview screen={screen} height={height} />
			) : (
				<ListView screen={screen} height={height} />
			);
	}
}

/** The mode to draw: while a question or a text field is open, its subject stays on the screen. */
function shownMode(mode: Mode): Mode {
	if (mode.kind === 'deny-message' && mode.settled) {
		return mode.settled;
	}

	return mode.kind === 'confirm' || mode.kind === 'prompt' || mode.kind === 'copy' ? shownMode(mode.behind) : mode;
}

type ListViewProps = {readonly screen: Screen; readonly height: number};

/** A view that is one list; where there is room, with the details of the selected row below it. */
function ListView({screen, height}: ListViewProps): JSX.Element {
	const {ui, size} = screen;
	const below = layoutName(size) === 'double' ? Math.min(14, Math.floor(height / 3)) : 0;
	return (
		<Box flexDirection="column" height={height} flexShrink={0}>
			<NotedList screen={screen} view={ui.view} height={height - below} />
			{below > 0 ? <SelectedPane screen={screen} view={ui.view} height={below} /> : null}
		</Box>
	);
}

/** A text open for reading, in lines, and how many of them are on the screen at once below its title. */
type ReadingText = {
	readonly lines: readonly Line[];
	readonly rows: number;
	/** True if there is nothing to scroll. */
	readonly fits: boolean;
	/** The line below it about pending work. */
	readonly moving: ReturnType<typeof pageUnderWay>;
};

/** Lays out the text that is open in a body of this height. */
export function readingText({ui, snapshot, readOnly, now}: Screen, height: number): ReadingText {
	const moving = pageUnderWay(ui, snapshot);
	const rows = height - (moving ? 2 : 1);
	const lines = shownText(ui, {snapshot, readOnly}, now);
	return {lines, rows, fits: lines.length <= rows, moving};
}

/** A text open for reading, at its scroll position. */
function ReadingPane({screen, height, text}: BodyProps): JSX.Element {
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
		`${readingTitle(ui, snapshot, isShort ? 'short' : 'full')}${fits ? '' : place}`,
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
				active
				lines={withHit(lines.slice(scroll, scroll + rows), scroll, found)}
				width={width}
				height={rows + 1}
			/>
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
