import {Box} from 'ink';
import {type JSX} from 'react';
import {LinesText, LineText} from '../text/line-text.tsx';
import {type Line, ruleLine} from '../text/span.ts';

type PaneProps = {
	readonly title: string;
	/** The pane whose keys are active. */
	readonly active: boolean;
	readonly lines: readonly Line[];
	readonly width: number;
	/** Rows, the title's included. */
	readonly height: number;
};

/** A titled block of lines. */
export function Pane({title, active, lines, width, height}: PaneProps): JSX.Element {
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0}>
			<LineText line={ruleLine(title, width, active ? 'strong' : 'dim')} width={width} />
			<LinesText lines={lines} width={width} height={Math.max(0, height - 1)} />
		</Box>
	);
}
