import {expect, test} from 'vitest';
import {emptySnapshot, type Snapshot} from '../../../source/state/snapshot.ts';
import {allViews, numberedViews, viewLabel, views} from '../../../source/tui/lists/view-table.ts';

/** What of the snapshot is read while `read` runs. */
function readNames(read: (snapshot: Snapshot) => unknown): ReadonlySet<string | symbol> {
	const names = new Set<string | symbol>();
	read(
		new Proxy(emptySnapshot, {
			get(target, name) {
				names.add(name);
				return Reflect.get(target, name) as unknown;
			},
		}),
	);
	return names;
}

test.each(allViews)('the rows of %s are made of its sources, so that they can be remembered by them', view => {
	expect(readNames(views[view].rows)).toEqual(new Set(views[view].sources));
});

test('the digits go from 1 to 9 in the order of the table', () => {
	expect(numberedViews.map(view => views[view].digit).join('')).toBe('123456789');
});

test('a view is labelled with its digit, where it has one', () => {
	expect([viewLabel('runs'), viewLabel('rules')]).toEqual(['5 Runs and inbox', 'Rules']);
});
