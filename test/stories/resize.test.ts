import {test} from 'vitest';
import {openDashboard, pressUntil, stateDirectory} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** A whole screen of so many rows: header, tabs, banner, a rule from edge to edge, whatever, the keys. A narrow one has the tabs in the header. */
function dashboardOf(columns: number, rows: number): RegExp {
	const isNarrow = rows < 20;
	const tabs = isNarrow ? '' : '\\n 1 Overview\\b.*';
	return new RegExp(
		`^ ?sluice .*${tabs}\\n ?▲ 1 approval\\b.*\\n─.{${columns - 1}}(?:\\n.*){${rows - (isNarrow ? 4 : 5)}}\\n L login\\b.*[?] help.*$`,
	);
}

/** A whole screen of so many rows: the title of a request, whatever, the state of the keys. */
function reviewOf(rows: number): RegExp {
	return new RegExp(`^ ▲ APPROVAL 1 of 1.*(?:\\n.*){${rows - 2}}\\n (?:wait|ready|deny only) .*$`);
}

const tooSmall = /^needs 40x10, now 38x9 ▲[1-9]\n*$/;

const sizes: ReadonlyArray<readonly [columns: number, rows: number]> = [
	[160, 50],
	[40, 10],
	[38, 9],
	[80, 24],
];

test('the dashboard and the review screen fill every size, row by row', async () => {
	const env = {TMPDIR: temporaryDirectory()};
	const terminal = openDashboard({home: stateDirectory(), env}, {args: ['--demo']});
	await terminal.waitFor(/garden +connected[\s\S]*weather +connected/);
	await terminal.waitFor('▲ 1 approval');
	for (const [columns, rows] of sizes) {
		terminal.resize(columns, rows);
		await terminal.waitFor(columns < 40 ? tooSmall : dashboardOf(columns, rows));
	}

	await pressUntil(terminal, 'A', 'APPROVAL 1 of 1');
	for (const [columns, rows] of sizes) {
		terminal.resize(columns, rows);
		await terminal.waitFor(columns < 40 ? tooSmall : reviewOf(rows));
	}
});
