import {own} from '../text/own-signs.ts';
import {Box} from 'ink';
import {type JSX} from 'react';
import {layoutName} from '../text/layout.ts';
import {ListPane} from '../components/list-pane.tsx';
import {Pane} from '../components/pane.tsx';
import {type Screen} from '../state/screen.ts';
import {listPosition} from '../state/selection.ts';

type ListViewProps = {readonly screen: Screen; readonly height: number};

/** A view that is one list; where there is room the selected row's details stand below it. */
export function ListView({screen, height}: ListViewProps): JSX.Element {
	const {ui, snapshot, size, now} = screen;
	const below = layoutName(size) === 'double' ? Math.min(14, Math.floor(height / 3)) : 0;
	const {rows, index} = listPosition(ui, ui.view, snapshot);
	return (
		<Box flexDirection="column" height={height} flexShrink={0}>
			<ListPane screen={screen} view={ui.view} width={size.columns} height={height - below} />
			{below > 0 ? (
				<Pane
					title={own`selected · enter opens all of it`}
					active={false}
					lines={rows[index]?.detail(size.columns, now) ?? []}
					width={size.columns}
					height={below}
				/>
			) : null}
		</Box>
	);
}
