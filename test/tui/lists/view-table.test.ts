import {expect, test} from 'vitest';
import {emptySnapshot, type Snapshot} from '../../../source/state/snapshot.ts';
import {allViews, tabViews, viewLabel, views} from '../../../source/tui/lists/view-table.ts';

/** The members of the snapshot that are read while `read` runs. */
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

test('the keys of the tabs are digits in the order of the table, then letters', () => {
	expect(tabViews.map(view => views[view].key).join('')).toBe('1234567WP');
});

test('a view is labelled with its key, where it has one', () => {
	expect([viewLabel('runs'), viewLabel('rules')]).toEqual(['4 Runs and inbox', 'Rules']);
});
