import {Box} from 'ink';
import {type JSX} from 'react';
import {LineText} from '../text/line-text.tsx';
import {type Screen} from '../state/screen.ts';
import {span} from '../text/span.ts';
import {signs} from '../text/status-text.ts';

/** One line that says what is missing and what waits; no key but quitting means anything there. */
export function TooSmall({screen}: {readonly screen: Screen}): JSX.Element {
	const {size, snapshot, ui} = screen;
	const count = snapshot.approvals.length + snapshot.questions.length + snapshot.proposals.length;
	const waiting = count > 0 ? ` ${signs.approval}${count}` : '';
	const words = ui.mode.kind === 'confirm' ? 'y yes, n no' : `needs 40x10, now ${size.columns}x${size.rows}${waiting}`;
	return (
		<Box width={size.columns} height={size.rows} overflow="hidden">
			<LineText line={[span(words)]} width={size.columns} />
		</Box>
	);
}
