import {Box} from 'ink';
import {type JSX} from 'react';
import {Body} from './body.tsx';
import {BottomLine} from './bottom-line.tsx';
import {layoutName} from '../text/layout.ts';
import {LinesText} from '../text/lines-text.tsx';
import {type FieldHandlers, type Screen} from '../state/screen.ts';
import {notificationLines} from './notification-lines.ts';
import {TooSmall} from '../components/too-small.tsx';
import {topLines} from '../components/top-lines.ts';

type FrameProps = {readonly screen: Screen; readonly handlers: FieldHandlers};

/** The whole screen, exactly as large as the terminal. */
export function Frame({screen, handlers}: FrameProps): JSX.Element {
	const {size, ui} = screen;
	const {columns, rows} = size;
	if (layoutName(size) === 'none') {
		return <TooSmall screen={screen} />;
	}

	const {mode} = ui;
	const looked = mode.kind === 'prompt' ? mode.behind : mode;
	const isReview = looked.kind === 'review' || looked.kind === 'deny-message';
	const top = isReview ? [] : topLines(screen);
	const toast = isReview ? [] : notificationLines(screen);
	return (
		<Box flexDirection="column" width={columns} height={rows}>
			<LinesText lines={top} width={columns} height={top.length} />
			<Body screen={screen} handlers={handlers} height={rows - top.length - toast.length - 1} />
			<LinesText lines={toast} width={columns} height={toast.length} />
			<BottomLine screen={screen} handlers={handlers} />
		</Box>
	);
}
