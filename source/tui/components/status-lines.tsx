import {Spinner, StatusMessage} from '@inkjs/ui';
import {Box, Newline, Text} from 'ink';
import {Fragment, type JSX} from 'react';
import {LineText} from '../text/line-text.tsx';
import {type Line} from '../text/span.ts';
import {type StatusVariant} from './dashboard-theme.tsx';
import {marginCells, spinnerCells, statusCells} from './toast-lines.ts';

export type StatusLinesProps = {
	readonly lines: readonly Line[];
	/** The status that the glyph shows; `under-way` is animated. */
	readonly variant: StatusVariant | 'under-way';
	readonly width: number;
	/** Blank cells before the glyph. */
	readonly indent?: number;
};

/** Lines with a status glyph before them, each exactly one row. */
export function StatusLines({lines, variant, width, indent = marginCells}: StatusLinesProps): JSX.Element {
	const isUnderWay = variant === 'under-way';
	const room = width - indent - (isUnderWay ? spinnerCells : statusCells);
	const words = lines.map((line, index) => (
		// oxlint-disable-next-line react/no-array-index-key -- a row of the screen is its place
		<Fragment key={index}>
			{index > 0 ? <Newline /> : null}
			<LineText line={line} width={room} />
		</Fragment>
	));
	return (
		<Box width={width} height={lines.length} paddingLeft={indent} gap={1} flexShrink={0} overflow="hidden">
			{isUnderWay ? (
				<>
					{/* The slowest type, because each step redraws the screen; it uses only ASCII. */}
					<Spinner type="simpleDots" />
					<Text>{words}</Text>
				</>
			) : (
				<StatusMessage variant={variant}>{words}</StatusMessage>
			)}
		</Box>
	);
}
