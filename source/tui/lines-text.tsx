import {Box} from 'ink';
import {type JSX} from 'react';
import {LineText} from './line-text.tsx';
import {type Line} from './span.ts';

type LinesTextProps = {readonly lines: readonly Line[]; readonly width: number; readonly height: number};

/** A block of exactly `height` rows: the lines that fit, then blank rows. */
export function LinesText({lines, width, height}: LinesTextProps): JSX.Element {
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0}>
			{lines.slice(0, height).map((line, index) => (
				// oxlint-disable-next-line react/no-array-index-key -- a row of the screen is its place
				<LineText key={index} line={line} width={width} />
			))}
		</Box>
	);
}
