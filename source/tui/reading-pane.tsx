import {type JSX} from 'react';
import {openText} from './open-text.ts';
import {Pane} from './pane.tsx';
import {type Screen} from './screen.ts';
import {viewTitle} from './view-title.ts';

/** A row's details or the help page, scrolled. */
export function ReadingPane({screen, height}: {readonly screen: Screen; readonly height: number}): JSX.Element {
	const {ui, snapshot, now, size} = screen;
	const {mode} = ui;
	const scroll = mode.kind === 'detail' || mode.kind === 'help' ? mode.scroll : 0;
	const lines = openText(ui, snapshot, now);
	const end = Math.min(lines.length, scroll + height - 1);
	const place = lines.length > height - 1 ? ` · lines ${scroll + 1}–${end} of ${lines.length}` : '';
	const title = mode.kind === 'help' ? `Keys${place}` : `${viewTitle(ui.view, ui, snapshot)} · details${place}`;
	return <Pane title={title} active lines={lines.slice(scroll)} width={size.columns} height={height} />;
}
