import {type JSX} from 'react';
import {listLines} from './list-lines.ts';
import {Pane} from './pane.tsx';
import {hasProfiles} from '../state/profiles.ts';
import {listPosition} from '../state/selection.ts';
import {span} from '../text/span.ts';
import {type ViewName} from '../lists/view-table.ts';
import {emptyText, viewTitle} from './view-title.ts';
import {type Screen} from '../state/screen.ts';

type ListPaneProps = {
	readonly screen: Screen;
	readonly view: ViewName;
	readonly width: number;
	readonly height: number;
};

/** The list of a view, with its title. */
export function ListPane({screen, view, width, height}: ListPaneProps): JSX.Element {
	const {ui, snapshot, now} = screen;
	const active = ui.view === view;
	const profileCells = hasProfiles(snapshot) ? (width < 60 ? 8 : 12) : 0;
	const position = listPosition(ui, view, snapshot);
	const lines =
		position.rows.length === 0
			? [[span(`  ${emptyText(view, ui)}`, 'dim')]]
			: listLines(position, {width, height: height - 1, now, active, profileCells});
	return <Pane title={viewTitle(view, ui, snapshot)} active={active} lines={lines} width={width} height={height} />;
}
