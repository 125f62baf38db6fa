import {Box} from 'ink';
import {type JSX} from 'react';
import {Pane} from '../components/pane.tsx';
import {columnScreens, linesAbove} from '../pages/page-column.ts';
import {columnRoot, type Mode, shownMode, type TraceMode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {LinesText} from '../text/line-text.tsx';
import {span} from '../text/span.ts';
import {ListView} from './list-view.tsx';
import {columnTitle, ReadingPane, type ReadingText, TracePane} from './reading-pane.tsx';

type ColumnsProps = {
	readonly screen: Screen;
	/** The page beside the list. */
	readonly page: Mode;
	readonly height: number;
	/** The text of the page, where it is laid out already. */
	readonly text?: ReadingText | undefined;
};

/** A list, and beside it the page of its picked row: the same page that is opened alone, in fewer columns. */
export function Columns({screen, page, height, text}: ColumnsProps): JSX.Element {
	const screens = columnScreens(screen, page);
	const keys = columnRoot(shownMode(screen.ui.mode)) ? 'here' : 'elsewhere';
	const shown = screens.page.ui.mode;
	return (
		<Box width={screen.size.columns} height={height} flexShrink={0}>
			<ListView screen={screens.list} height={height} />
			<Divider height={height} />
			{shown.kind === 'trace' ? (
				<TraceColumn screen={screens.page} mode={shown} height={height} keys={keys} />
			) : (
				<ReadingPane screen={screens.page} height={height} text={text} keys={keys} />
			)}
		</Box>
	);
}

function Divider({height}: {readonly height: number}): JSX.Element {
	return <LinesText lines={Array.from({length: height}, () => divider)} width={1} height={height} />;
}

const divider = [span(glyphs.gutter, 'dim')];

type TraceColumnProps = {
	readonly screen: Screen;
	readonly mode: TraceMode;
	readonly height: number;
	readonly keys: 'here' | 'elsewhere';
};

/** The details of a row, and below them its trace. */
function TraceColumn({screen, mode, height, keys}: TraceColumnProps): JSX.Element {
	const lines = linesAbove(mode, screen);
	const above = lines.length === 0 ? 0 : lines.length + 1;
	return (
		<Box flexDirection="column" height={height} flexShrink={0}>
			{above === 0 ? null : (
				<Pane title={columnTitle(mode, keys)} active={false} lines={lines} width={screen.size.columns} height={above} />
			)}
			<TracePane screen={screen} mode={mode} height={height - above} keys={keys} />
		</Box>
	);
}
