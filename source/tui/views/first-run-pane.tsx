import {own} from '../text/own-signs.ts';
import {type JSX} from 'react';
import {firstRunLines} from './first-run-lines.ts';
import {layoutName} from '../text/layout.ts';
import {Pane} from '../components/pane.tsx';
import {type Screen} from '../state/screen.ts';

/** View 1 while there is nothing to show. A pane like any other: all keys work. */
export function FirstRunPane({screen, height}: {readonly screen: Screen; readonly height: number}): JSX.Element {
	const terse = layoutName(screen.size) === 'narrow';
	const lines = firstRunLines(screen.snapshot, {readOnly: screen.readOnly, terse});
	return <Pane title={own`1 Servers · first steps`} active lines={lines} width={screen.size.columns} height={height} />;
}
