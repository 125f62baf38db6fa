import {Text} from 'ink';
import {type JSX} from 'react';
import {paintLine} from './paint.ts';
import {cutLine, type Line} from './span.ts';
import {useTheme} from './theme-context.tsx';

/** One line of the screen: exactly one row, never wider than `width`. */
export function LineText({line, width}: {readonly line: Line; readonly width: number}): JSX.Element {
	const theme = useTheme();
	// A text without a sign would take no row.
	return <Text wrap="truncate-end">{paintLine(cutLine(line, width), theme) || ' '}</Text>;
}
