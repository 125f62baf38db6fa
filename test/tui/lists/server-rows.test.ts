import {expect, test} from 'vitest';
import {serverListRow} from '../../../source/tui/lists/server-rows.ts';
import {sampleTime, server, snapshotOf} from '../sample-events.ts';

test.each([3, 3000, 123_456])('no column touches the next with %d tools', tools => {
	const [row] = snapshotOf([server('a', {tools})]).servers.map(serverListRow);
	expect(
		row
			?.line(78, sampleTime)
			.map(({text}) => text)
			.join(''),
	).toMatch(/\d \S+ +full/u);
});
