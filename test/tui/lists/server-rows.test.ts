import {expect, test} from 'vitest';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {serverRows} from '../../../source/tui/lists/server-rows.ts';
import {sampleTime, server, snapshotOf} from '../sample-events.ts';
import {keyNames} from '../../../source/tui/state/key-names.ts';

test.each([3, 3000, 123_456])('no column touches the next with %d tools', tools => {
	const [row] = serverRows(snapshotOf([server('a', {tools})]));
	expect(
		row
			?.line(118, sampleTime, keyNames({readOnly: false, snapshot: emptySnapshot}))
			.map(({text}) => text)
			.join(''),
	).toMatch(/ \d+ \S+ +stdio +full/u);
});

test.each(['failed', 'waiting', 'needs-login'] as const)(
	'the row of a server that is %s has room for its reason',
	state => {
		const reason = 'The server cannot be reached at its address';
		const rows = serverRows(snapshotOf([server('a', {state, reason}), server('b')]));
		const [troubled, fine] = rows.map(row =>
			row
				.line(78, sampleTime, keyNames({readOnly: false, snapshot: emptySnapshot}))
				.map(({text}) => text)
				.join(''),
		);
		expect(troubled).toContain(reason);
		expect(fine).toContain('3 tools');
	},
);
