import {own} from '../text/own-signs.ts';
import {type JSX} from 'react';
import {isRead} from '../input/move-keys.ts';
import {shownText} from '../pages/shown-text.ts';
import {Pane} from '../components/pane.tsx';
import {readingTitle} from '../pages/reading-title.ts';
import {type Screen} from '../state/screen.ts';

/** A text that is open for reading, scrolled. */
export function ReadingPane({screen, height}: {readonly screen: Screen; readonly height: number}): JSX.Element {
	const {ui, snapshot, now, size} = screen;
	const rows = height - 1;
	const lines = shownText(ui, snapshot, now);
	const scroll = Math.min(isRead(ui.mode) ? ui.mode.scroll : 0, Math.max(0, lines.length - rows));
	const end = Math.min(lines.length, scroll + rows);
	const place = lines.length > rows ? own` · lines ${scroll + 1}–${end} of ${lines.length}` : '';
	const title = `${readingTitle(ui, snapshot)}${place}`;
	return <Pane title={title} active lines={lines.slice(scroll)} width={size.columns} height={height} />;
}
