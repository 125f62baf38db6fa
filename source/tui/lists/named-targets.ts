import {type Snapshot} from '../../state/snapshot.ts';
import {type ListRow} from './list-row.ts';
import {viewRows} from './view-rows.ts';

/** Something with a name or an id that a typed command opens: `server github`, `run 6be08384`. */
export type NamedTarget = {
	readonly name: string;
	readonly words: string;
	readonly view: 'overview' | 'routes' | 'jobs' | 'runs' | 'events';
	readonly id: string;
};

type Source = Pick<NamedTarget, 'view'> & {readonly noun: string; readonly nameOf: (row: ListRow) => string};

const byName = (field: string) => (row: ListRow) => row.fields()[field] ?? '';

/** Names and ids of rows, each with the word before it. */
const named: readonly Source[] = [
	{noun: 'server', view: 'overview', nameOf: byName('server')},
	{noun: 'route', view: 'routes', nameOf: byName('route')},
	{noun: 'job', view: 'jobs', nameOf: byName('job')},
];
const identified: readonly Source[] = [
	{noun: 'run', view: 'runs', nameOf: ({id}) => id},
	// Thousands of them: their fields are not made for this.
	{noun: 'event', view: 'events', nameOf: ({copy}) => copy ?? ''},
];

/** Everything that can be opened by its name. Where rows of several profiles share one, it is given with the profile. */
export function namedTargets(snapshot: Snapshot): readonly NamedTarget[] {
	return named.flatMap(({noun, view, nameOf}) => {
		// The overview has routes too.
		const rows = viewRows(view, snapshot, '').filter(row => Object.hasOwn(row.fields(), noun));
		const names = rows.map(nameOf);
		return rows.map((row, index): NamedTarget => {
			const name = names[index] ?? '';
			const {state = '', profile = ''} = row.fields();
			const isShared = names.indexOf(name) !== names.lastIndexOf(name);
			return {name: `${noun} ${isShared ? `${profile}/${name}` : name}`, words: `${noun}, ${state}`, view, id: row.id};
		});
	});
}

/** Everything that can be opened by its id, the newest of several with the same one. */
export function identifiedTargets(snapshot: Snapshot): readonly NamedTarget[] {
	const targets = new Map<string, NamedTarget>();
	for (const {noun, view, nameOf} of identified) {
		for (const row of viewRows(view, snapshot, '')) {
			const name = `${noun} ${nameOf(row)}`;
			targets.set(name, {name, words: `${noun} by its id`, view, id: row.id});
		}
	}

	return [...targets.values()];
}

/** The row of a typed name or id. */
export function targetOf(name: string, snapshot: Snapshot): NamedTarget | undefined {
	const isIt = (target: NamedTarget) => target.name === name;
	return namedTargets(snapshot).find(isIt) ?? identifiedTargets(snapshot).find(isIt);
}
