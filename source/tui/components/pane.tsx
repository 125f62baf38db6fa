import {type JSX} from 'react';
import {groupTitle, type ViewName} from '../lists/view-table.ts';
import {keyNames} from '../state/key-names.ts';
import {isMarked} from '../state/marks.ts';
import {profileCells} from '../state/profiles.ts';
import {type Screen} from '../state/screen.ts';
import {listPosition} from '../state/selection.ts';
import {LinesText} from '../text/line-text.tsx';
import {type Line, ruleLine, span} from '../text/span.ts';
import {emptyText, keysPlace, listLines, viewTitle} from './list-lines.ts';

type PaneProps = {
	readonly title: string;
	/** The pane whose keys are active. */
	readonly active: boolean;
	readonly lines: readonly Line[];
	readonly width: number;
	/** Rows, including the title. */
	readonly height: number;
};

/** A titled block of lines. */
export function Pane({title, active, lines, width, height}: PaneProps): JSX.Element {
	const rule = ruleLine(title, width, active ? 'strong' : 'dim');
	return <LinesText lines={[rule, ...lines]} width={width} height={height} />;
}

type ListPaneProps = {
	readonly screen: Screen;
	readonly view: ViewName;
	readonly width: number;
	readonly height: number;
};

/** The list of a view, with its title. Beside another view it shows its newest rows, whatever was picked, filtered or sorted in its own. */
export function ListPane({screen: shown, view, width, height}: ListPaneProps): JSX.Element {
	const active = shown.ui.view === view;
	const screen = active ? shown : {...shown, ui: {...shown.ui, selected: {}, filters: {}, sort: {}, openFolds: {}}};
	const {ui, snapshot, now} = screen;
	const keys = keyNames(screen);
	const place = keysPlace(ui);
	const position = listPosition(ui, view, snapshot);
	const lines =
		position.rows.length === 0
			? [[span(`  ${emptyText(view, screen)}`, 'dim')]]
			: listLines(position, {
					width,
					height: height - 1,
					now,
					active,
					place,
					groupTitle: groupTitle(view, ui.sort, height - 1),
					...(view === 'you' && {isMarked: (id: string) => isMarked(id, ui, snapshot)}),
					profileCells: profileCells(snapshot, width),
					keys,
				});
	const title = viewTitle(view, ui, snapshot);
	return <Pane title={title} active={active && place === 'here'} lines={lines} width={width} height={height} />;
}
