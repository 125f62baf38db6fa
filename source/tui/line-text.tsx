import {Box, Text} from 'ink';
import {type JSX} from 'react';
import {cutLine, type Line} from './span.ts';
import {toAscii} from './status-words.ts';
import {useTheme} from './theme-context.tsx';

/** One line of the screen: exactly one row, never wider than `width`. */
export function LineText({line, width}: {readonly line: Line; readonly width: number}): JSX.Element {
	const {looks, ascii} = useTheme();
	const pieces = cutLine(line, width);
	return (
		<Box width={width} height={1} flexShrink={0} overflow="hidden">
			<Text wrap="truncate-end">
				{pieces.length === 0 ? ' ' : null}
				{pieces.map((piece, index) => (
					// oxlint-disable-next-line react/no-array-index-key -- pieces of a line have no identity but their place
					<Text key={index} {...looks[piece.tone]}>
						{ascii ? toAscii(piece.text) : piece.text}
					</Text>
				))}
			</Text>
		</Box>
	);
}
