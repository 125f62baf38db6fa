import {Box, Text} from 'ink';
import {type JSX} from 'react';
import {paintLine} from './paint.ts';
import {cutLine, type Line} from './span.ts';
import {useTheme} from './theme-context.tsx';

type LinesTextProps = {readonly lines: readonly Line[]; readonly width: number; readonly height: number};

/** A block of exactly `height` rows: the lines that fit, then blank rows. One text: a part of the tree for every row would cost more than the rows. */
export function LinesText({lines, width, height}: LinesTextProps): JSX.Element {
	const theme = useTheme();
	const painted = lines.slice(0, height).map(line => paintLine(cutLine(line, width), theme));
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0}>
			<Text wrap="truncate-end">{painted.join('\n')}</Text>
		</Box>
	);
}
