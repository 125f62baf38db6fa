import {ProgressBar} from '@inkjs/ui';
import {Box} from 'ink';
import {type JSX} from 'react';
import {type CallRow} from '../../state/snapshot.ts';
import {progressShare, progressWords} from '../../state/entities/call.ts';
import {minutesText} from '../text/duration-text.ts';
import {LineText} from '../text/line-text.tsx';
import {span} from '../text/span.ts';
import {StatusLines} from './status-lines.tsx';

type RunningCallProps = {
	/** Absent until its server has it. */
	readonly call: CallRow | undefined;
	readonly width: number;
	readonly now: number;
};

const barCells = 20;

/** A call that a person is waiting for: its running time, and the progress that its server reports. */
export function RunningCall({call, width, now}: RunningCallProps): JSX.Element {
	const share = call && progressShare(call);
	const age = call ? ` ${minutesText(now - call.startedAt)}` : '';
	return (
		<Box flexDirection="column" width={width} flexShrink={0} overflow="hidden">
			<StatusLines lines={[[span('under way', 'busy'), span(age, 'dim')]]} variant="under-way" width={width} />
			<Box width={width} height={1} paddingLeft={1} gap={1} flexShrink={0} overflow="hidden">
				{share === undefined ? null : (
					<Box width={barCells} flexShrink={0}>
						<ProgressBar value={share * 100} />
					</Box>
				)}
				<LineText line={[span(call ? progressWords(call) : '')]} width={width - barCells - 2} />
			</Box>
		</Box>
	);
}
