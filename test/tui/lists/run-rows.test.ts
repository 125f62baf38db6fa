import {expect, test} from 'vitest';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {runListRow} from '../../../source/tui/lists/run-rows.ts';
import {drawOwnGlyphs} from '../../../source/tui/text/own-glyphs.ts';
import {run, sampleTime, snapshotOf} from '../sample-events.ts';
import {keyNames} from '../../../source/tui/state/key-names.ts';

test.each([
	['nothing', '◐ running'],
	['approval', '▲ waits'],
	['answer', '▲ waits'],
] as const)(
	'a run that waits for %s begins with %s in its row and its details, at every width',
	(waitingFor, label) => {
		const [row] = snapshotOf([run('r1', {state: 'running', ...(waitingFor !== 'nothing' && {waitingFor})})]).runs.map(
			runListRow,
		);
		for (const width of [38, 78, 158]) {
			const line = row
				?.line(width, sampleTime, keyNames({readOnly: false, snapshot: emptySnapshot}))
				.map(({text}) => text);
			const state = row
				?.detail(width, sampleTime, keyNames({readOnly: false, snapshot: emptySnapshot}))[0]
				?.map(({text}) => text);
			expect(drawOwnGlyphs(line?.join('') ?? '', 'unicode').startsWith(label)).toBe(true);
			expect(drawOwnGlyphs(state?.join('') ?? '', 'unicode')).toContain(label);
		}
	},
);
