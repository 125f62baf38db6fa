import {Box} from 'ink';
import {type JSX} from 'react';
import {type Screen} from '../state/screen.ts';
import {layoutName} from '../text/layout.ts';
import {Overview} from './overview.tsx';
import {NotedList, SelectedPane} from './picked-note.tsx';

type ListViewProps = {readonly screen: Screen; readonly height: number};

/** The overview, or a view that is one list; where there is room, with the details of the selected row below it. */
export function ListView({screen, height}: ListViewProps): JSX.Element {
	const {ui, size} = screen;
	if (ui.view === 'overview') {
		return <Overview screen={screen} height={height} />;
	}

	const below = layoutName(size) === 'double' ? Math.min(14, Math.floor(height / 3)) : 0;
	return (
		<Box flexDirection="column" height={height} flexShrink={0}>
			<NotedList screen={screen} view={ui.view} height={height - below} />
			{below > 0 ? <SelectedPane screen={screen} view={ui.view} height={below} /> : null}
		</Box>
	);
}
